"""Moves, events and steps as JSON, and as the bytes in which the store keeps them."""
