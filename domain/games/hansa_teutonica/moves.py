"""What a player of Hansa Teutonica can choose."""

from __future__ import annotations

from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica import board


class TakeIncome(Move):
    """Take pieces from the stock to the supply: HT-4.1."""

    traders: int
    merchants: int


class PlacePiece(Move):
    """Put a piece of the supply on a free post: HT-4.2."""

    own_events = ("PiecePlaced",)

    piece: board.Piece
    post: board.Post


class DisplacePiece(Move):
    """Take the post of another player's piece and pay: HT-4.3."""

    own_events = ("PieceDisplaced",)

    piece: board.Piece
    post: board.Post
    pay_traders: int
    pay_merchants: int


class LiftPiece(Move):
    """Lift a piece from its post, to put it down again: HT-4.4, HT-13.4."""

    post: board.Post


class PutPiece(Move):
    """Put a lifted piece on a free post; `country` is its origin, if that matters: HT-4.4."""

    own_events = ("PiecePut",)

    owner: Seat
    piece: board.Piece
    post: board.Post
    country: board.Country | None = None


class EstablishRoute(Move):
    """Establish a route without a choice: HT-6.11."""

    route: str


class OpenOffice(Move):
    """Establish a route and open an office at one of its ends: HT-6.6."""

    own_events = ("OfficeOpened",)

    route: str
    city: str


class OpenExtraOffice(Move):
    """Establish a route and use a marker for an extra office at one of its ends: HT-8.3."""

    own_events = ("ExtraOfficeOpened",)

    route: str
    city: str
    piece: board.Piece


class ImproveAbility(Move):
    """Establish a route and improve the ability of the city at its end: HT-6.9."""

    own_events = ("AbilityImproved",)

    route: str
    city: str
    ability: board.Ability


class TakeSpecialPrestige(Move):
    """Establish the route to the table of prestige and put a merchant there: HT-6.10."""

    route: str
    space: int


class UseMarker(Move):
    """Use a marker for more actions, or to take pieces from posts: HT-8.5, HT-8.7."""

    kind: board.Marker


class UseImprovement(Move):
    """Use a marker to improve any ability: HT-8.6."""

    own_events = ("AbilityImproved",)

    ability: board.Ability


class SwapOffices(Move):
    """Use a marker to swap two neighbouring offices: HT-8.4."""

    own_events = ("OfficesSwapped",)

    city: str
    left: int


class RemovePiece(Move):
    """Take a piece from a post into the supply of its owner: HT-8.5."""

    post: board.Post


class StopRemoving(Move):
    """Take no more pieces from posts: HT-8.5."""


class RelocatePiece(Move):
    """Place the displaced piece or an extra one, if necessary from another post: HT-5.3, HT-5.4."""

    source: board.Source
    piece: board.Piece
    post: board.Post
    lifted: board.Post | None = None


class DeclineExtras(Move):
    """Place no more extra pieces: HT-5.8."""


class DeployPiece(Move):
    """Bring a piece to a post by a permanent bonus: HT-14.7, HT-14.9."""

    source: board.Source
    piece: board.Piece
    post: board.Post
    lifted: board.Post | None = None


class OpenGreenOffice(Move):
    """Open an office in a green city with a piece of the supply: HT-14.8."""

    city: str
    piece: board.Piece


class DeclineBonus(Move):
    """Use no more of a permanent bonus: HT-14.4."""


class PawnToStart(Move):
    """Put the pawn into any province before the first turn: HT-11.3."""

    province: str


class MovePawn(Move):
    """Move the pawn freely over one or two borders: HT-11.6."""

    province: str


class SendPawn(Move):
    """Send the pawn to any province for an action: HT-11.7."""

    province: str


class PlaceMarker(Move):
    """Put a drawn marker on a route: HT-8.9."""

    kind: board.Marker
    route: str


class EndTurn(Move):
    """End the turn: HT-3.3."""


Establishing = EstablishRoute | OpenOffice | OpenExtraOffice | ImproveAbility | TakeSpecialPrestige
"""The moves that establish a route: HT-6.5."""
