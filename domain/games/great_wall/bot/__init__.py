"""What is good at The Great Wall, and the four levels of its bots."""
