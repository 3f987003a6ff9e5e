"""Routes for the contract, the guides, health, the transparency log and the games."""
