"""Names of players: which can be taken, and which look alike."""
