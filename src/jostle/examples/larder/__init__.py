"""Larder, a recipe collection: a small multi-page application with a database, in a correct and a buggy version."""
