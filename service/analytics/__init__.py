"""Statistics, the explorer and exported tables."""
