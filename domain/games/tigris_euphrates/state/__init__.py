"""The table: what was agreed on, its steps, what lies on it, and positions as JSON."""
