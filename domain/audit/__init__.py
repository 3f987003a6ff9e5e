"""The audit: verifies a match, and the log of all matches, without trust in the service."""
