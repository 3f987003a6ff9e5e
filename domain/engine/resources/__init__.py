"""Readers of the data files in a game's folder: rule book, field notes, examples, curves."""
