"""The table of Qin: setup, steps, state, and positions as JSON."""
