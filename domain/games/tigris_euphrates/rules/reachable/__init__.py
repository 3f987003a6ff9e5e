"""Positions from which a match may start."""
