"""A corpus: matches of all games between bots, for analysis."""
