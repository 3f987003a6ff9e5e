"""Which choices are worth asking about: a few too many, never too few."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    BAG,
    COSTS,
    MARKERS,
    PIECE_NUMBER,
    PIECES,
)
from domain.games.hansa_teutonica.events import Post, Source
from domain.games.hansa_teutonica.moves.orders import (
    Choice,
    DeclineBonus,
    DeclineExtras,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    Establishing,
    EstablishRoute,
    ImproveAbility,
    LiftPiece,
    MovePawn,
    OpenExtraOffice,
    OpenGreenOffice,
    OpenOffice,
    PawnToStart,
    PlaceMarker,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    RemovePiece,
    SendPawn,
    StopRemoving,
    SwapOffices,
    TakeIncome,
    TakeSpecialPrestige,
    UseImprovement,
    UseMarker,
    UsingMarker,
)
from domain.games.hansa_teutonica.state import (
    FREE,
    Deploying,
    GreenOffice,
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

EXTRA_SOURCES: tuple[Source, ...] = ("stock", "supply")


def candidates(state: State, seat: Seat) -> Iterator[Choice]:
    """What is worth asking about. Posts of a route are equal, so one stands for all: HT-1.3."""
    step = state.agenda[-1]
    match step:
        case Turn():
            yield from _turn(state, seat)
        case PlaceMarkers():
            for kind in dict.fromkeys(step.kinds):
                yield from (PlaceMarker(seat, kind, route.id) for route in state.setup.map.routes)
        case PlacePawn():
            yield from (PawnToStart(seat, province.id) for province in state.setup.provinces)
        case Deploying() | GreenOffice():
            yield DeclineBonus(seat)
            yield from (
                _deploying(state, seat, step)
                if isinstance(step, Deploying)
                else _green(state, seat)
            )
        case _:
            yield from _finishing(state, seat, step)


def _finishing(state: State, seat: Seat, step: Relocate | Moving | Removing) -> Iterator[Choice]:
    """What was begun is finished; HT-3.4."""
    match step:
        case Relocate():
            yield from _relocations(state, seat, step)
        case Moving():
            yield from _moving(state, seat, step)
        case Removing():
            yield StopRemoving(seat)
            yield from (RemovePiece(seat, post) for post, _ in standing(state))


def standing(state: State) -> Iterator[tuple[Post, int]]:
    """On each route one piece of each kind and owner: its post, and the piece."""
    posts = state.posts
    for number, span in enumerate(state.board.posts):
        for code in set(posts[span.start : span.stop]) - {FREE}:
            yield from ((post, code) for post in posts_with(state, number, code))


def free_posts(state: State) -> Iterator[Post]:
    """The first free post of each route that has one."""
    for number in range(len(state.board.posts)):
        if state.free_post(number) >= 0:
            yield from posts_with(state, number, FREE)


def posts_with(state: State, route: int, code: int) -> Iterator[Post]:
    """The first post of a route with this piece, and the first of those unlike it; HT-14.1."""
    span, reserved = state.board.posts[route], state.board.reserved
    at = state.posts.index(code, span.start, span.stop)
    name = state.setup.map.routes[route].id
    yield name, at - span.start
    if reserved:
        alike = at in reserved
        for post in range(at + 1, span.stop):
            if state.posts[post] == code and (post in reserved) != alike:
                yield name, post - span.start
                return


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


def _moving(
    state: State, seat: Seat, step: Moving
) -> Iterator[LiftPiece | PutPiece | DeclineBonus]:
    if step.bonus:
        yield DeclineBonus(seat)
    lands = step.lands or (None,) * len(step.held)
    for code, land in dict.fromkeys(zip(step.held, lands, strict=True)):
        for post in free_posts(state):
            yield PutPiece(seat, owner_of(code), PIECES[piece_of(code)], post, land)
    if step.left:
        yield from (LiftPiece(seat, post) for post, _ in standing(state))


def _relocations(
    state: State, seat: Seat, step: Relocate
) -> Iterator[RelocatePiece | DeclineExtras]:
    yield DeclineExtras(seat)
    origin = state.board.route_number[step.route]
    free = {
        piece: [
            post for near in nearest(state, origin, n) for post in posts_with(state, near, FREE)
        ]
        for n, piece in enumerate(PIECES)
    }
    if not step.placed:
        for post in free[step.piece]:
            yield RelocatePiece(seat, "displaced", step.piece, post)
    for source in EXTRA_SOURCES:
        for piece in PIECES:
            yield from (RelocatePiece(seat, source, piece, post) for post in free[piece])
    for lifted, code in standing(state):
        if owner_of(code) == seat:
            piece = PIECES[piece_of(code)]
            yield from (RelocatePiece(seat, "board", piece, post, lifted) for post in free[piece])


def nearest(state: State, route: int, piece: int) -> tuple[int, ...]:
    """The nearest routes with a free post for a piece; HT-5.5, HT-5.6, HT-14.13."""
    board, land = state.board, state.board.lands[route]
    for ring in board.rings[route]:
        if found := tuple(
            near for near in ring if state.post_for(near, piece) >= 0 and board.may_go(land, near)
        ):
            return found
    return ()


def _deploying(state: State, seat: Seat, step: Deploying) -> Iterator[DeployPiece]:
    """Where pieces may go by a permanent bonus, and where from; HT-14.7, HT-14.9."""
    own = [(post, code) for post, code in standing(state) if owner_of(code) == seat]
    for post in free_posts(state):
        yield from (DeployPiece(seat, "stock", piece, post) for piece in PIECES)
        if step.bonus == "place_2":
            yield from (DeployPiece(seat, "supply", piece, post) for piece in PIECES)
            for lifted, code in own:
                yield DeployPiece(seat, "board", PIECES[piece_of(code)], post, lifted)


def _green(state: State, seat: Seat) -> Iterator[OpenGreenOffice]:
    """In each green city an office of either kind; HT-14.8."""
    for city in state.setup.map.cities:
        if city.green:
            yield from (OpenGreenOffice(seat, city.id, piece) for piece in PIECES)
