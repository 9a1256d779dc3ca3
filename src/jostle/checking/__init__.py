"""Checking an application as a whole: what is tried when, for how long, in how many browsers."""
