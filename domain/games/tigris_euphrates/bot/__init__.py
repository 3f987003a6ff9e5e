"""What is good in Tigris & Euphrates, and the four levels of its bots."""
