"""Positions that a match can start from."""
