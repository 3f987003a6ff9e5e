"""The match: one table of a game, from its creation to its score."""
