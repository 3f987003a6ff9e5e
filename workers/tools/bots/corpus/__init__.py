"""A corpus: matches of all games that bots play, so that there is something to count."""
