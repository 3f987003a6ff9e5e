"""The evaluation of Hansa Teutonica, and the four levels of its bots."""
