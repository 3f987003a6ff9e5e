"""Pieces on posts: where they can go, how they move and are displaced."""
