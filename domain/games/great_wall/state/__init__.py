"""The table: what was agreed on, clans, Horde cards, the steps, the state, positions as JSON."""
