"""Finds the events that make other events slower the longer an application is used."""
