"""The report of a game: one page that says what its matches teach."""
