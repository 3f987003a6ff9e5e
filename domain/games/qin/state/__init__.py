"""The table of Qin: what was chosen before, the steps, the state, positions as JSON."""
