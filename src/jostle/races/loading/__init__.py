"""Races while a page loads: acting before it is ready."""
