"""What is good in Chang Cheng, and the four levels of its bots."""
