"""Readers of the data files in a game's folder: rule book, texts, field notes, examples, curves."""
