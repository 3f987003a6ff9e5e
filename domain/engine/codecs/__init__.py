"""Moves, events and steps as JSON, and as the bytes in which entries are stored."""
