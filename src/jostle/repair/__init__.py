"""Repairs: policies that keep the bad order of a race from happening, and the script that enforces them in a page."""
