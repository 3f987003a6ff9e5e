"""The table: what was agreed on, the steps, what lies where, positions as JSON."""
