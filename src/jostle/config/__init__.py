"""The configuration file: what the user told about the application under test."""

from jostle.config.load import load
from jostle.config.settings import AppSettings, Browser, Configuration, Ignore, Invariant, Login

__all__ = ["AppSettings", "Browser", "Configuration", "Ignore", "Invariant", "Login", "load"]
