"""Questions about finished matches, answered while others get their turn."""
