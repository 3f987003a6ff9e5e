"""The events; each one applies itself to the state."""
