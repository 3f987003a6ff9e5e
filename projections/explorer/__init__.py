"""The explorer: moves chosen in positions, and by features of moves, with their results."""

from projections.explorer.folding import EXPLORER, explorer

__all__ = ["EXPLORER", "explorer"]
