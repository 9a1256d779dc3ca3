"""Allotment, the pages of a garden club, with a suite of Playwright tests (see `jostle.examples.suite`)."""
