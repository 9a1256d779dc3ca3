"""Reports for people: they read what was recorded or found, and know nothing of how it was made."""
