"""The steps of Hansa Teutonica."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.engine.play import Seat, Step
from domain.games.hansa_teutonica import board


class Turn(Step):
    """The active player acts, uses markers, or ends the turn: HT-3.2."""


class Relocate(Step, kw_only=True):
    """The owner of a displaced piece places it, unless it is placed, and extra pieces: HT-5.3."""

    route: board.RouteName
    piece: board.Piece
    placed: bool
    extras: int


class Moving(Step, kw_only=True):
    """Put held pieces on posts, and lift up to `left` more: HT-4.4, HT-13.4, HT-14.5."""

    held: tuple[int, ...]
    left: int
    marker: bool
    lands: tuple[board.Country, ...] = ()  # by held piece, its country, on a map with countries
    bonus: bool = False  # whether a permanent bonus lets the seat lift pieces of all
    lifted: tuple[board.PostNumber, ...] | UnsetType = UNSET  # where each held piece was, if known


class Removing(Step, kw_only=True):
    """Take up to `left` more pieces from posts; the first is mandatory: HT-8.5."""

    left: int


class Deploying(Step, kw_only=True):
    """Bring up to `left` more pieces to posts by a permanent bonus: HT-14.7, HT-14.9."""

    bonus: board.Bonus
    left: int
    traders: int = 0  # those of the route that went to the stock and can come back
    merchants: int = 0


class GreenOffice(Step):
    """Make a piece of the supply an office of a green city, or decline: HT-14.8."""


class CheckEnd(Step, kw_only=True):
    """Check whether the established route ends the game: HT-9.2."""

    short: bool = False


class PlaceMarkers(Step, kw_only=True):
    """Put drawn markers on routes: HT-8.9."""

    kinds: tuple[board.Marker, ...]


class PlacePawn(Step):
    """The second player of two puts the pawn on the map: HT-11.3."""


class Refill(Step, kw_only=True):
    """Refill the board with markers after the turn of this seat: HT-8.8."""

    seat: Seat


class NextTurn(Step, kw_only=True):
    """Begin the turn of this seat: HT-3.1."""

    seat: Seat


Pending = Relocate | Moving | Removing | Deploying | GreenOffice | PlaceMarkers | PlacePawn
"""The steps that can be half done, or come before the first turn."""
