"""The audit: what anybody can check of a match, and of the log of all matches."""
