"""Positions as JSON: one reader and one writer for all games, driven by the types of a record."""
