"""The engine that plays any game."""
