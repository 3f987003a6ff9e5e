"""The steps of Hansa Teutonica: what there can still be to do."""

from __future__ import annotations

from domain.engine.play import Seat, Step
from domain.games.hansa_teutonica import board


class Turn(Step):
    """The active player acts, uses markers, or ends the turn: HT-3.2."""


class Relocate(Step, kw_only=True):
    """The owner of a displaced piece places it, unless that is done, and extra pieces: HT-5.3."""

    route: str
    piece: board.Piece
    placed: bool
    extras: int


class Moving(Step, kw_only=True):
    """Pieces in the hand go to posts, and some more may be lifted: HT-4.4, HT-13.4, HT-14.5."""

    held: tuple[int, ...]
    left: int
    marker: bool
    lands: tuple[board.Country, ...] = ()  # where each of `held` is from, on a map with countries
    bonus: bool = False  # whether it is a permanent bonus, with which pieces of anybody are lifted


class Removing(Step, kw_only=True):
    """Some more pieces may be taken from posts; the first must be: HT-8.5."""

    left: int


class Deploying(Step, kw_only=True):
    """Some more pieces may come to posts by a permanent bonus: HT-14.7, HT-14.9."""

    bonus: board.Bonus
    left: int
    traders: int = 0  # those of the route that went to the stock and may come back
    merchants: int = 0


class GreenOffice(Step):
    """A piece of the supply may become an office of a green city: HT-14.8."""


class CheckEnd(Step, kw_only=True):
    """See whether the game is over now that a route is established: HT-9.2."""

    short: bool = False


class PlaceMarkers(Step, kw_only=True):
    """Drawn markers are put on routes: HT-8.9."""

    kinds: tuple[board.Marker, ...]


class PlacePawn(Step):
    """The second of two players puts the pawn on the map: HT-11.3."""


class Refill(Step, kw_only=True):
    """The board is filled up with markers after the turn of this seat: HT-8.8."""

    seat: Seat


class NextTurn(Step, kw_only=True):
    """This seat begins its turn: HT-3.1."""

    seat: Seat


Pending = Relocate | Moving | Removing | Deploying | GreenOffice | PlaceMarkers | PlacePawn
"""What can be half done, or has to be done before the first turn."""
