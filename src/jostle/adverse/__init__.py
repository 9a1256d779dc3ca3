"""Running an existing test suite while things happen that should make no difference."""
