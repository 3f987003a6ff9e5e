"""The steps of the agenda, by theme."""
