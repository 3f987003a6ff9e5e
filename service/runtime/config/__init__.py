"""The records of settings, and where their values are from."""
