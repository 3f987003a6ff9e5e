"""Read models folded from the entries of matches."""

from projections.matches import MATCHES
from projections.results import RESULTS
from projections.spaces import Projection
from projections.turns import TURNS

PROJECTIONS: tuple[Projection, ...] = (MATCHES, TURNS, RESULTS)
