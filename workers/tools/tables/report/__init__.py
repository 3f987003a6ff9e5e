"""The report of a game: one page about what its matches show."""
