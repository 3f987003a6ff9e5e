"""What is good in Hansa Teutonica, and the four levels of its bots."""
