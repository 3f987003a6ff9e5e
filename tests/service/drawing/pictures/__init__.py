"""Pictures: their input, the painters, and the cache."""
