"""Larger applications, written by others, on which jostle is measured."""
