"""Read models folded from the entries of matches."""

from projections.core.spaces import Projection
from projections.lists.matches import MATCHES
from projections.lists.reliability import RELIABILITY
from projections.lists.results import RESULTS
from projections.lists.turns import TURNS

PROJECTIONS: tuple[Projection, ...] = (MATCHES, TURNS, RESULTS, RELIABILITY)
