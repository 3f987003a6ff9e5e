"""The archive: matches that are over, in packed files beside the store."""
