"""Lists of matches, turns and results, with their pages and change feed."""
