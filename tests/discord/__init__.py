"""A stand-in of Discord: its API in a process of its own, and people who use it."""
