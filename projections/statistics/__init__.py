"""Statistics: the facts of all finished public matches, and queries about them."""

from projections.statistics.folding import STATISTICS, statistics

__all__ = ["STATISTICS", "statistics"]
