"""Probe sets: what is seen of a running program."""
