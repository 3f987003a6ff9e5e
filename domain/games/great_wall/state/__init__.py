"""The table: options, clans, Horde cards, steps, state, positions as JSON."""
