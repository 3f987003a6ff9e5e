"""The explorer: what was chosen in positions, and by features of moves, and what came of it."""

from projections.explorer.folding import EXPLORER, explorer

__all__ = ["EXPLORER", "explorer"]
