"""A stand-in for Discord: its API in a separate process, and people who use it."""
