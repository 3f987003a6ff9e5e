"""The language in which cards say what they do, and the decks written in it."""
