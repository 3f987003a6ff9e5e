"""The evaluation of Tigris & Euphrates and the four levels of its bots."""
