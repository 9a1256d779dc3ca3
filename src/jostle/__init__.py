"""jostle: tests event-driven web applications by owning the order of events, the clock and the user."""

__version__ = "0.1.0"
