"""Routes for statistics, the explorer and exported tables."""
