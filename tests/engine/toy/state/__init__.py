"""The table: what was agreed on, the steps, the state, positions as JSON."""
