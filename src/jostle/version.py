"""The version of jostle."""

__version__ = "0.1.0"
