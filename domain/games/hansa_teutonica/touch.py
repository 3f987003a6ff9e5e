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
MAP = TouchKind("map", "part", "all routes and posts")
INCOME = TouchKind("income", "word", "take an income")
TRADERS = TouchKind("traders", "word", "how many traders")
MERCHANTS = TouchKind("merchants", "word", "how many merchants")
PAY = TouchKind("pay", "word", "how many traders and how many merchants are paid")
HELD_PIECE = TouchKind(
    "held", "word", "a lifted piece: its seat, what it is, and the country if that matters"
)
DISPLACED_PIECE = TouchKind("displaced", "word", "the displaced trader or merchant")
NOTHING = TouchKind("nothing", "word", "choose nothing for the route")
OPEN = TouchKind("open", "word", "open an office, or an extra one with a trader or a merchant")
DRAWN_MARKER = TouchKind("drawn", "word", "a marker that was drawn")
PAWN = TouchKind("pawn", "word", "move the pawn freely, or send it for an action")
DECLINE = TouchKind("decline", "word", "use no more of it")
END = TouchKind("end", "word", "end the turn")
KINDS = tuple(kind for kind in dict(vars()).values() if isinstance(kind, TouchKind))


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The one way to point at a move."""
    yield _WAYS[type(move)](move)


def within(view: View, touch: Touch) -> Touch | None:
    """For a post, the posts of its route; for these, or the route, all of a city; else None."""
    match kind_of(touch):
        case "post":
            return POSTS.of(id_of(touch).rpartition(":")[0])
        case "posts" | "route":
            return FROM.of(_first_city(view, id_of(touch)))
        case "from":
            return MAP.of()
        case "office":
            return OFFICES.of(id_of(touch).rpartition(":")[0])
        case _:
            return None


def _first_city(view: View, route: str) -> str:
    return next(each.cities[0] for each in view.map.routes if each.id == route)


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
    moves.TakeIncome: lambda m: (INCOME.of(), TRADERS.of(m.traders), MERCHANTS.of(m.merchants)),
    moves.PlacePiece: lambda m: (SUPPLY.of(m.piece), post(m.post)),
    moves.DisplacePiece: _displacing,
    moves.LiftPiece: lambda m: (post(m.post),),
    moves.PutPiece: _putting,
    moves.EstablishRoute: lambda m: (ROUTE.of(m.route), NOTHING.of()),
    moves.OpenOffice: lambda m: (ROUTE.of(m.route), CITY.of(m.city), OPEN.of("office")),
    moves.OpenExtraOffice: lambda m: (ROUTE.of(m.route), CITY.of(m.city), OPEN.of(m.piece)),
    moves.ImproveAbility: lambda m: (ROUTE.of(m.route), CITY.of(m.city), ABILITY.of(m.ability)),
    moves.TakeSpecialPrestige: lambda m: (ROUTE.of(m.route), PRIZE.of(m.space)),
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


def _from_supply(view: View, piece: str, at: str) -> Iterator[Json]:
    """A piece from the supply to a free post, or one that displaces another."""
    route, place = _post(at)
    if any(sign for each, sign in enumerate(view.routes.get(route, ())) if each == place):
        pay = {"pay_traders": 1, "pay_merchants": 0}
        yield {"type": "DisplacePiece", "piece": piece, "post": (route, place), **pay}
    else:
        yield {"type": "PlacePiece", "piece": piece, "post": (route, place)}
    yield from _bring("supply", piece, at)


def _bring(source: str, piece: str, at: str) -> Iterator[Json]:
    """A piece that is relocated, or that a bonus brings."""
    for kind in ("RelocatePiece", "DeployPiece"):
        yield {"type": kind, "source": source, "piece": piece, "post": _post(at)}


def _put(_view: View, held: str, at: str) -> Iterator[Json]:
    """A lifted piece that is put down."""
    owner, _, what = held.partition(":")
    piece, _, country = what.partition(":")
    lifted = {"owner": as_number(owner), "piece": piece, "country": country or None}
    yield {"type": "PutPiece", **lifted, "post": _post(at)}


def _lift(_view: View, at: str) -> Iterator[Json]:
    yield {"type": "LiftPiece", "post": _post(at)}
    yield {"type": "RemovePiece", "post": _post(at)}


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
    ("post",): _lift,
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
