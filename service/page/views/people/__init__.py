"""Pages about players: profiles, leaderboards, and whom the visitor follows and blocks."""
