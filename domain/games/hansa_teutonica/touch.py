"""How players point at moves: touches of a piece and its post, a route and its purpose, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.engine.game import Json
from domain.engine.play import Move
from domain.engine.touches import (
    ImpliedMoves,
    Pointing,
    Touch,
    TouchKind,
    Way,
    as_number,
    id_of,
    kind_of,
)
from domain.games.hansa_teutonica import board, moves
from domain.games.hansa_teutonica.view import View

SUPPLY = TouchKind("supply", "thing", "a trader or a merchant of the supply")
STOCK = TouchKind("stock", "thing", "a trader or a merchant of the stock")
POST = TouchKind("post", "thing", "a post, by its route and its number from the first city on")
ROUTE = TouchKind("route", "thing", "a route")
CITY = TouchKind("city", "thing", "a city")
OFFICE = TouchKind("office", "thing", "a printed office, by its city and its number from the left")
PRIZE = TouchKind("prize", "thing", "a space of special prestige, by its number")
ABILITY = TouchKind("ability", "thing", "an ability of the desk")
MARKER = TouchKind("marker", "thing", "a marker of the viewer that lies face up")
PROVINCE = TouchKind("province", "thing", "a province")
POSTS = TouchKind("posts", "part", "the posts of a route")
OFFICES = TouchKind("offices", "part", "the offices of a city")
FROM = TouchKind("from", "part", "the routes that begin in a city, with their posts")
MAP = TouchKind("map", "part", "all cities, routes and posts")
ESTABLISH = TouchKind("establish", "word", "establish a route")
INCOME = TouchKind("income", "word", "take an income")
TRADERS = TouchKind("traders", "word", "how many traders")
MERCHANTS = TouchKind("merchants", "word", "how many merchants")
PAY = TouchKind("pay", "word", "how many traders and how many merchants are paid")
HELD_PIECE = TouchKind(
    "held", "word", "a lifted piece: its seat, what it is, and the country if that matters"
)
DISPLACED_PIECE = TouchKind("displaced", "word", "the displaced trader or merchant")
NOTHING = TouchKind("nothing", "word", "choose nothing for the route")
LIFT = TouchKind("lift", "word", "pick up the piece on the post, to move it")
OPEN = TouchKind("open", "word", "open an office, or an extra one with a trader or a merchant")
DRAWN_MARKER = TouchKind("drawn", "word", "a marker that was drawn")
PAWN = TouchKind("pawn", "word", "move the pawn freely, or send it for an action")
DECLINE = TouchKind("decline", "word", "use no more of it")
END = TouchKind("end", "word", "end the turn")
KINDS = tuple(kind for kind in dict(vars()).values() if isinstance(kind, TouchKind))


def touches(view: View, move: Move) -> Iterator[Way]:
    """The ways to point at a move, its usual one first: an income also begins with pieces of it in
    the stock, and a route with its posts and cities.
    """
    if isinstance(move, moves.Establishing):
        yield from _establishing(view, move)
    elif isinstance(move, moves.TakeIncome):
        amounts = INCOME.of(), TRADERS.of(move.traders), MERCHANTS.of(move.merchants)
        yield amounts
        counts = zip(board.PIECES, (move.traders, move.merchants), strict=True)
        yield from ((STOCK.of(piece), *amounts) for piece, count in counts if count)
    elif isinstance(move, moves.LiftPiece):
        yield from _lifting(view, move)
    else:
        yield _WAYS[type(move)](move)


def _establishing(view: View, move: moves.Establishing) -> Iterator[Way]:
    """The route, or the word for it, and what it is established for. A post or a city can mean more
    than the route, so that the word follows.
    """
    word, purpose = ESTABLISH.of(move.route), _PURPOSES[type(move)](move)
    route = _route(view, move.route)
    yield ROUTE.of(move.route), *purpose
    yield word, *purpose
    for number in range(route.posts):
        yield post((move.route, number)), word, *purpose
    for city in map(CITY.of, route.cities):
        yield city, word, *(name for name in purpose if name != city)


def _lifting(view: View, move: moves.LiftPiece) -> Iterator[Way]:
    """The post, and the word, because the post can also mean its route. On a route that is all the
    seat's, also the posts with equal pieces, which the list leaves out: HT-1.3.
    """
    name, number = move.post
    signs = view.routes[name]
    yield post(move.post), LIFT.of()
    if all(sign and sign[:-1] == str(move.seat) for sign in signs):
        kinds = _route(view, name).post_requires or ("any",) * len(signs)
        for other, there in enumerate(zip(signs, kinds, strict=True)):
            if other != number and there == (signs[number], kinds[number]):
                yield post((name, other)), LIFT.of()


def within(view: View, touch: Touch) -> Touch | None:
    """For a post, the posts of its route; for these, or the route, all of a city; for these, or a
    city, the map; else None.
    """
    match kind_of(touch):
        case "post":
            return POSTS.of(id_of(touch).rpartition(":")[0])
        case "posts" | "route":
            return FROM.of(_route(view, id_of(touch)).cities[0])
        case "from" | "city":
            return MAP.of()
        case "office":
            return OFFICES.of(id_of(touch).rpartition(":")[0])
        case _:
            return None


def _route(view: View, route: str) -> board.Route:
    return next(each for each in view.map.routes if each.id == route)


def post(at: board.Post) -> Touch:
    """The name of a post."""
    return POST.of(*at)


def _displacing(move: moves.DisplacePiece) -> Way:
    return SUPPLY.of(move.piece), post(move.post), PAY.of(move.pay_traders, move.pay_merchants)


def _putting(move: moves.PutPiece) -> Way:
    land = (move.country,) if move.country else ()
    return HELD_PIECE.of(move.owner, move.piece, *land), post(move.post)


def _bringing(move: moves.RelocatePiece | moves.DeployPiece) -> Way:
    """Where the piece comes from, and where it goes."""
    if move.lifted is not None:
        return post(move.lifted), post(move.post)
    source = {"displaced": DISPLACED_PIECE, "stock": STOCK}.get(move.source, SUPPLY)
    return source.of(move.piece), post(move.post)


def _swapping(move: moves.SwapOffices) -> Way:
    left, right = (OFFICE.of(move.city, move.left + step) for step in (0, 1))
    return MARKER.of("swap_offices"), left, right


def _saying(kind: TouchKind) -> Callable[[Any], Way]:
    return lambda _move: (kind.of(),)


_WAYS: dict[type[Move], Callable[[Any], Way]] = {
    moves.PlacePiece: lambda m: (SUPPLY.of(m.piece), post(m.post)),
    moves.DisplacePiece: _displacing,
    moves.PutPiece: _putting,
    moves.UseMarker: lambda m: (MARKER.of(m.kind),),
    moves.UseImprovement: lambda m: (MARKER.of("improve_ability"), ABILITY.of(m.ability)),
    moves.SwapOffices: _swapping,
    moves.RemovePiece: lambda m: (post(m.post),),
    moves.StopRemoving: _saying(DECLINE),
    moves.RelocatePiece: _bringing,
    moves.DeclineExtras: _saying(DECLINE),
    moves.DeployPiece: _bringing,
    moves.OpenGreenOffice: lambda m: (SUPPLY.of(m.piece), CITY.of(m.city)),
    moves.DeclineBonus: _saying(DECLINE),
    moves.PawnToStart: lambda m: (PROVINCE.of(m.province),),
    moves.MovePawn: lambda m: (PAWN.of("move"), PROVINCE.of(m.province)),
    moves.SendPawn: lambda m: (PAWN.of("send"), PROVINCE.of(m.province)),
    moves.PlaceMarker: lambda m: (DRAWN_MARKER.of(m.kind), ROUTE.of(m.route)),
    moves.EndTurn: _saying(END),
}
_PURPOSES: dict[type[Move], Callable[[Any], Way]] = {
    moves.EstablishRoute: lambda _: (NOTHING.of(),),
    moves.OpenOffice: lambda m: (CITY.of(m.city), OPEN.of("office")),
    moves.OpenExtraOffice: lambda m: (CITY.of(m.city), OPEN.of(m.piece)),
    moves.ImproveAbility: lambda m: (CITY.of(m.city), ABILITY.of(m.ability)),
    moves.TakeSpecialPrestige: lambda m: (PRIZE.of(m.space),),
}


def _from_supply(view: View, piece: str, at: str) -> Iterator[Json]:
    """A piece from the supply to a free post, or one that displaces another, with any payment."""
    if sign := _sign(view, at):
        cost = board.COSTS[sign[-1] == "m"]
        for merchants in range(cost + 1):
            pay = {"pay_traders": cost - merchants, "pay_merchants": merchants}
            yield {"type": "DisplacePiece", "piece": piece, "post": _post(at), **pay}
    else:
        yield {"type": "PlacePiece", "piece": piece, "post": _post(at)}
    yield from _bring("supply", piece, at)


def _displace(_view: View, piece: str, at: str, paid: str) -> Iterator[Json]:
    traders, _, merchants = map(as_number, paid.partition(":"))
    pay = {"pay_traders": traders, "pay_merchants": merchants}
    yield {"type": "DisplacePiece", "piece": piece, "post": _post(at), **pay}


def _sign(view: View, at: str) -> str | None:
    """The piece on a post; None if it is free, or there is no such post."""
    route, place = _post(at)
    signs = (sign for each, sign in enumerate(view.routes.get(route, ())) if each == place)
    return next(signs, None)


def _bring(source: str, piece: str, at: str) -> Iterator[Json]:
    """A piece that is relocated, or that a bonus brings."""
    for kind in ("RelocatePiece", "DeployPiece"):
        yield {"type": kind, "source": source, "piece": piece, "post": _post(at)}


def _from_post(view: View, lifted: str, at: str) -> Iterator[Json]:
    """A piece that is relocated, or that a bonus brings, from another post."""
    piece = board.PIECES[(_sign(view, lifted) or "t")[-1] == "m"]
    for move in _bring("board", piece, at):
        yield {**move, "lifted": _post(lifted)}


def _put(_view: View, held: str, at: str) -> Iterator[Json]:
    """A lifted piece that is put down."""
    owner, _, what = held.partition(":")
    piece, _, country = what.partition(":")
    lifted = {"owner": as_number(owner), "piece": piece, "country": country or None}
    yield {"type": "PutPiece", **lifted, "post": _post(at)}


def _lift(_view: View, at: str, _word: str = "") -> Iterator[Json]:
    yield {"type": "LiftPiece", "post": _post(at)}


def _at_post(view: View, at: str) -> Iterator[Json]:
    """What a turn can begin with at a post: its own piece, or one of the supply; or its removal."""
    sign = _sign(view, at)
    if sign and sign[:-1] == str(view.seat):
        yield from _lift(view, at)
    else:
        for piece in board.PIECES:
            yield from _from_supply(view, piece, at)
    yield {"type": "RemovePiece", "post": _post(at)}


def _unfinished(view: View, routes: Iterable[board.Route]) -> Iterator[Json]:
    """Those of these routes that are not all the viewer's, the fullest first."""

    def count_own(route: board.Route) -> int:
        signs = filter(None, view.routes[route.id])
        return sum(sign[:-1] == str(view.seat) for sign in signs)

    for route in sorted(routes, key=count_own, reverse=True):
        if count_own(route) < route.posts:
            yield {"type": "EstablishRoute", "route": route.id}


def _at_cities(view: View, cities: Iterable[str]) -> Iterator[Json]:
    """Unfinished routes of these cities."""
    ends = set(cities)
    yield from _unfinished(view, (route for route in view.map.routes if ends & {*route.cities}))


def _take_income(_view: View, piece: str) -> Iterator[Json]:
    if piece in board.PIECES:
        counts = {f"{one}s": int(one == piece) for one in board.PIECES}
        yield {"type": "TakeIncome", **counts}


def _improve(view: View, ability: str) -> Iterator[Json]:
    """Unfinished routes of the cities that improve an ability, for that."""
    found = {c.id for c in view.map.cities if ability in (c.ability, c.second_ability)}
    for move in _at_cities(view, found):
        [city, *_] = (c for c in _route(view, move["route"]).cities if c in found)
        yield {"type": "ImproveAbility", "route": move["route"], "city": city, "ability": ability}


def _take_prize(view: View, space: str) -> Iterator[Json]:
    for move in _unfinished(view, (_route(view, view.map.special_prestige.route),)):
        yield {**move, "type": "TakeSpecialPrestige", "space": as_number(space)}


def _open(_view: View, route: str, city: str, what: str = "office") -> Iterator[Json]:
    """An office, or an extra one with a piece."""
    where = {"route": route, "city": city}
    if what == "office":
        yield {"type": "OpenOffice", **where}
    else:
        yield {"type": "OpenExtraOffice", **where, "piece": what}


def _post(at: str) -> tuple[str, int | str]:
    """A post by its route and its number."""
    route, _, place = at.rpartition(":")
    return route, as_number(place)


def _json(kind: str, *fields: str) -> Callable[..., Iterable[Json]]:
    """Moves whose fields are just the touched names."""
    return lambda _view, *names: [{"type": kind, **dict(zip(fields, names, strict=True))}]


IMPLIED_MOVES: ImpliedMoves = {
    ("supply", "post"): _from_supply,
    ("stock", "post"): lambda _view, piece, at: _bring("stock", piece, at),
    ("displaced", "post"): lambda _view, piece, at: _bring("displaced", piece, at),
    ("held", "post"): _put,
    ("supply", "post", "pay"): _displace,
    ("post", "post"): _from_post,
    ("post",): _at_post,
    ("post", "lift"): _lift,
    ("stock",): _take_income,
    ("city",): lambda view, city: _at_cities(view, [city]),
    ("office",): lambda view, at: _at_cities(view, [at.rpartition(":")[0]]),
    ("ability",): _improve,
    ("prize",): _take_prize,
    ("supply", "city"): _json("OpenGreenOffice", "piece", "city"),
    ("drawn", "route"): _json("PlaceMarker", "kind", "route"),
    ("province",): _json("PawnToStart", "province"),
    ("pawn", "province"): lambda _view, how, province: [
        {"type": f"{how.capitalize()}Pawn", "province": province}
    ],
    ("marker",): _json("UseMarker", "kind"),
    ("route",): _json("EstablishRoute", "route"),
    ("route", "nothing"): lambda _view, route, _: [{"type": "EstablishRoute", "route": route}],
    ("route", "city"): _open,
    ("route", "city", "open"): _open,
    ("route", "city", "ability"): _json("ImproveAbility", "route", "city", "ability"),
    ("route", "prize"): lambda _view, route, space: [
        {"type": "TakeSpecialPrestige", "route": route, "space": as_number(space)}
    ],
}
"""By kinds of touches, the moves that a piece and a post, or a route and a city, imply."""
POINTING = Pointing(touches=touches, kinds=KINDS, part_of=within, implied_moves=IMPLIED_MOVES)
