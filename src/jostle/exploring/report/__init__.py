"""How what goes wrong in an exploration is told: the stories, the report, and what other reports need to know of it."""
