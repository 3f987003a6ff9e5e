"""What a player of Hansa Teutonica can choose: the orders."""

from __future__ import annotations

from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.board import Ability, Country, Marker, Piece
from domain.games.hansa_teutonica.events import Post, Source


class TakeIncome(Move):
    """Take pieces from the stock to the supply; HT-4.1."""

    traders: int
    merchants: int


class PlacePiece(Move):
    """Put a piece of the supply on a free post; HT-4.2."""

    piece: Piece
    post: Post


class DisplacePiece(Move):
    """Take the post of another player's piece and pay; HT-4.3."""

    piece: Piece
    post: Post
    pay_traders: int
    pay_merchants: int


class LiftPiece(Move):
    """Take a piece from its post, to be put down again; HT-4.4, HT-13.4."""

    post: Post


class PutPiece(Move):
    """Put a lifted piece on a free post, one from this country if that matters; HT-4.4."""

    owner: Seat
    piece: Piece
    post: Post
    country: Country | None = None


class EstablishRoute(Move):
    """Establish a route and choose nothing; HT-6.11."""

    route: str


class OpenOffice(Move):
    """Establish a route and open an office at one of its ends; HT-6.6."""

    route: str
    city: str


class OpenExtraOffice(Move):
    """Establish a route and use a marker for an extra office at one of its ends; HT-8.3."""

    route: str
    city: str
    piece: Piece


class ImproveAbility(Move):
    """Establish a route and improve the ability of the city at its end; HT-6.9."""

    route: str
    city: str
    ability: Ability


class TakeSpecialPrestige(Move):
    """Establish the route to the table of prestige and put a merchant there; HT-6.10."""

    route: str
    space: int


class UseMarker(Move):
    """Use a marker for more actions, or begin to take pieces from posts; HT-8.5, HT-8.7."""

    kind: Marker


class UseImprovement(Move):
    """Use a marker to improve any ability; HT-8.6."""

    ability: Ability


class SwapOffices(Move):
    """Use a marker to swap two neighbouring offices; HT-8.4."""

    city: str
    left: int


class RemovePiece(Move):
    """Take a piece from a post into the supply of its owner; HT-8.5."""

    post: Post


class StopRemoving(Move):
    """Take no more pieces from posts; HT-8.5."""


class RelocatePiece(Move):
    """Place the displaced piece or an extra one, if need be from another post; HT-5.3, HT-5.4."""

    source: Source
    piece: Piece
    post: Post
    lifted: Post | None = None


class DeclineExtras(Move):
    """Place no more extra pieces; HT-5.8."""


class DeployPiece(Move):
    """Bring a piece to a post by a permanent bonus; HT-14.7, HT-14.9."""

    source: Source
    piece: Piece
    post: Post
    lifted: Post | None = None


class OpenGreenOffice(Move):
    """Open an office in a green city with a piece of the supply; HT-14.8."""

    city: str
    piece: Piece


class DeclineBonus(Move):
    """Use nothing more of a permanent bonus; HT-14.4."""


class PawnToStart(Move):
    """Put the pawn into any province before the first turn; HT-11.3."""

    province: str


class MovePawn(Move):
    """Move the pawn over one border or two, freely; HT-11.6."""

    province: str


class SendPawn(Move):
    """Send the pawn to any province for an action; HT-11.7."""

    province: str


class PlaceMarker(Move):
    """Put a drawn marker on a route; HT-8.9."""

    kind: Marker
    route: str


class EndTurn(Move):
    """End the turn; HT-3.3."""


Establishing = EstablishRoute | OpenOffice | OpenExtraOffice | ImproveAbility | TakeSpecialPrestige
UsingMarker = UseMarker | UseImprovement | SwapOffices
Acting = TakeIncome | PlacePiece | DisplacePiece | LiftPiece | Establishing | SendPawn
Finishing = PutPiece | RemovePiece | StopRemoving | RelocatePiece | DeclineExtras
UsingBonus = DeployPiece | OpenGreenOffice | DeclineBonus
Course = PawnToStart | MovePawn | PlaceMarker | EndTurn
Choice = Acting | UsingMarker | Finishing | UsingBonus | Course

MOVES: tuple[type[Move], ...] = (
    TakeIncome,
    PlacePiece,
    DisplacePiece,
    LiftPiece,
    PutPiece,
    EstablishRoute,
    OpenOffice,
    OpenExtraOffice,
    ImproveAbility,
    TakeSpecialPrestige,
    UseMarker,
    UseImprovement,
    SwapOffices,
    RemovePiece,
    StopRemoving,
    RelocatePiece,
    DeclineExtras,
    DeployPiece,
    OpenGreenOffice,
    DeclineBonus,
    PawnToStart,
    MovePawn,
    SendPawn,
    PlaceMarker,
    EndTurn,
)
