"""Commands and queries on matches, and the cache of folded matches."""
