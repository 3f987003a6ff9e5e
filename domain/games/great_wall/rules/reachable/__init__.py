"""Positions from which a match of The Great Wall may start."""
