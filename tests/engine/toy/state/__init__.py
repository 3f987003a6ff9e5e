"""The table: the setup, the steps, the state, positions as JSON."""
