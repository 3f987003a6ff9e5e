"""What can happen, in a file for each theme."""
