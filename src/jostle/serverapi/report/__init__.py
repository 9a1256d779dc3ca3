"""The interface of a server as a page for people."""
