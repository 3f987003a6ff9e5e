"""Statistics: the facts of all public matches that are over, and questions about them."""

from projections.statistics.folding import STATISTICS, statistics

__all__ = ["STATISTICS", "statistics"]
