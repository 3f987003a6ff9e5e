"""What the contract says about a game: JSON schemas and refusals, derived from its code."""
