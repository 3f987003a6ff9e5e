"""Routes for accounts, players, sessions and ratings."""
