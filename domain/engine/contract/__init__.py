"""What the contract says of a game: JSON schemas and refusals, read from its code."""
