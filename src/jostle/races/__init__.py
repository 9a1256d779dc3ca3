"""Orders of events that break an application, each proved by a replay."""
