"""How quick users are."""

QUICKEST = 200.0
"""Virtual milliseconds. Nobody does two things in less."""
