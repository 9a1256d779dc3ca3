"""Standing in for a server: responses made from a description. All but `site` is pure."""
