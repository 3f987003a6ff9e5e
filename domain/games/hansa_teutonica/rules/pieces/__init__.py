"""Pieces on posts: where they may go, how they move and are displaced."""
