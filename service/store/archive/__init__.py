"""The archive: finished matches, in packed files beside the store."""
