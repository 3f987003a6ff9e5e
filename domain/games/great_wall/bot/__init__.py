"""The evaluation of The Great Wall, and the four levels of its bots."""
