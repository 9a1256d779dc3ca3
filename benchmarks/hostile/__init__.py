"""Attacks on jostle, counted: `make eval-hostile`, or `python -m benchmarks.hostile --only kills`."""
