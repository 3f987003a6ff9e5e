"""The events, a file for each theme."""
