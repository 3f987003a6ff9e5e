"""The tables of matches that are over: what is in them, and the folders they are in."""
