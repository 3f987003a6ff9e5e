"""What a player of Hansa Teutonica can choose."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    BAG,
    COSTS,
    MARKERS,
    PIECE_NUMBER,
    PIECES,
    Ability,
    Marker,
    Piece,
)
from domain.games.hansa_teutonica.events import Post, Source
from domain.games.hansa_teutonica.state import (
    Moving,
    PlaceMarkers,
    PlacePawn,
    Relocate,
    Removing,
    State,
    Turn,
    code_of,
    owner_of,
    piece_of,
)


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
    """Put a lifted piece on a free post; HT-4.4."""

    owner: Seat
    piece: Piece
    post: Post


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
Choice = Acting | UsingMarker | Finishing | PawnToStart | MovePawn | PlaceMarker | EndTurn

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
    PawnToStart,
    MovePawn,
    SendPawn,
    PlaceMarker,
    EndTurn,
)


def candidates(state: State, seat: Seat) -> Iterator[Choice]:
    """What is worth asking about. Posts of a route are equal, so one stands for all: HT-1.3."""
    step = state.agenda[-1]
    match step:
        case Turn():
            yield from _turn(state, seat)
        case Relocate():
            yield from _relocations(state, seat, step)
        case Moving():
            yield from _moving(state, seat, step)
        case Removing():
            yield StopRemoving(seat)
            yield from (RemovePiece(seat, post) for post, _ in standing(state))
        case PlaceMarkers():
            for kind in dict.fromkeys(step.kinds):
                yield from (PlaceMarker(seat, kind, route.id) for route in state.setup.map.routes)
        case PlacePawn():
            yield from (PawnToStart(seat, province.id) for province in state.setup.provinces)
        case _:
            raise AssertionError(step)


def standing(state: State) -> Iterator[tuple[Post, int]]:
    """On each route one piece of each kind and owner: its post, and the piece."""
    posts = state.posts
    for route, span in zip(state.setup.map.routes, state.board.posts, strict=True):
        for code in set(posts[span.start : span.stop]) - {0}:
            yield (route.id, posts.index(code, span.start) - span.start), code


def free_posts(state: State) -> Iterator[Post]:
    """The first free post of each route that has one."""
    for number, route in enumerate(state.setup.map.routes):
        at = state.free_post(number)
        if at >= 0:
            yield route.id, at - state.board.posts[number].start


def mixes(count: int, traders: int, merchants: int) -> Iterator[tuple[int, int]]:
    """In how many ways so many pieces can be taken from so many traders and merchants."""
    for some in range(max(0, count - traders), min(count, merchants) + 1):
        yield count - some, some


def income_counts(state: State, seat: Seat) -> range:
    """How many pieces an income may bring; HT-4.1, HT-13.7."""
    most = min(state.value(seat, BAG), sum(state.in_stock(seat)))
    return range(1 if state.setup.income == "up_to" else max(most, 1), most + 1)


def _turn(state: State, seat: Seat) -> Iterator[Choice]:
    """HT-3.3, HT-3.5."""
    yield EndTurn(seat)
    if state.actions and not state.closed:
        yield from _actions(state, seat)
    if not state.closed:
        yield from _markers(state, seat)
    for province in state.setup.provinces:
        yield MovePawn(seat, province.id)
        yield SendPawn(seat, province.id)


def _actions(state: State, seat: Seat) -> Iterator[Choice]:
    for count in income_counts(state, seat):
        for mix in mixes(count, *state.in_stock(seat)):
            yield TakeIncome(seat, *mix)
    supply = state.in_supply(seat)
    free = list(free_posts(state))
    for piece in PIECES:
        if supply[PIECE_NUMBER[piece]]:
            yield from (PlacePiece(seat, piece, post) for post in free)
    for post, code in standing(state):
        if owner_of(code) == seat:
            yield LiftPiece(seat, post)
        elif sum(supply) > COSTS[piece_of(code)]:
            yield from _displacing(seat, post, COSTS[piece_of(code)], supply)
    yield from _establishing(state, seat)


def _displacing(
    seat: Seat, post: Post, cost: int, supply: tuple[int, int]
) -> Iterator[DisplacePiece]:
    traders, merchants = supply
    if traders:
        for mix in mixes(cost, traders - 1, merchants):
            yield DisplacePiece(seat, "trader", post, *mix)
    if merchants:
        for mix in mixes(cost, traders, merchants - 1):
            yield DisplacePiece(seat, "merchant", post, *mix)


def _establishing(state: State, seat: Seat) -> Iterator[Establishing]:
    codes = {code_of(seat, piece) for piece in range(len(PIECES))}
    for route, span in zip(state.setup.map.routes, state.board.posts, strict=True):
        if codes.issuperset(state.posts[span.start : span.stop]):
            yield EstablishRoute(seat, route.id)
            for city in route.cities:
                yield OpenOffice(seat, route.id, city)
                yield from (OpenExtraOffice(seat, route.id, city, piece) for piece in PIECES)
                yield from (ImproveAbility(seat, route.id, city, a) for a in ABILITIES)
            for space in range(len(state.special)):
                yield TakeSpecialPrestige(seat, route.id, space)


def _markers(state: State, seat: Seat) -> Iterator[UsingMarker | LiftPiece]:
    for kind, count in zip(MARKERS, state.markers_of(state.ready, seat), strict=True):
        if not count:
            continue
        if kind == "improve_ability":
            yield from (UseImprovement(seat, ability) for ability in ABILITIES)
        elif kind == "swap_offices":
            for city, span in zip(state.setup.map.cities, state.board.offices, strict=True):
                yield from (SwapOffices(seat, city.id, left) for left in range(len(span) - 1))
        elif kind != "extra_office":
            yield UseMarker(seat, kind)


def _moving(state: State, seat: Seat, step: Moving) -> Iterator[LiftPiece | PutPiece]:
    for code in sorted(set(step.held)):
        for post in free_posts(state):
            yield PutPiece(seat, owner_of(code), PIECES[piece_of(code)], post)
    if step.left:
        yield from (LiftPiece(seat, post) for post, _ in standing(state))


def _relocations(
    state: State, seat: Seat, step: Relocate
) -> Iterator[RelocatePiece | DeclineExtras]:
    yield DeclineExtras(seat)
    origin = state.board.route_number[step.route]
    free = [post_in(state, route) for route in nearest(state, origin)]
    if not step.placed:
        yield from (RelocatePiece(seat, "displaced", step.piece, post) for post in free)
    yield from (RelocatePiece(seat, "stock", piece, post) for piece in PIECES for post in free)
    yield from (RelocatePiece(seat, "supply", piece, post) for piece in PIECES for post in free)
    for lifted, code in standing(state):
        if owner_of(code) == seat:
            for post in free:
                yield RelocatePiece(seat, "board", PIECES[piece_of(code)], post, lifted)


def post_in(state: State, route: int) -> Post:
    """The first free post of a route that has one."""
    return state.setup.map.routes[route].id, state.free_post(route) - state.board.posts[route].start


def nearest(state: State, route: int) -> tuple[int, ...]:
    """The nearest routes with a free post, seen from this one; HT-5.5, HT-5.6."""
    for ring in state.board.rings[route]:
        if found := tuple(near for near in ring if state.free_post(near) >= 0):
            return found
    return ()
