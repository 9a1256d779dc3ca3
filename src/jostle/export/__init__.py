"""Findings as tests that stand on their own: Python files for pytest-playwright that need no jostle."""
