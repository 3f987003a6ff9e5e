"""The table: setup, steps, state, and positions as JSON."""
