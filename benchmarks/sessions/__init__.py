"""Sessions of people, acted by scripts: they move, pause, change their minds and come back."""
