"""How slowdowns are told: their stories, the report of a search for them, and what other reports need to know."""
