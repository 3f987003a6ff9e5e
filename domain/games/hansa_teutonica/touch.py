"""How moves are pointed at: a piece and its post, a route and what it is established for, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.engine.game import Json, Meant
from domain.engine.play import Move
from domain.engine.touches import Kind, Touch, Way, kind_of, number, which
from domain.games.hansa_teutonica import board, moves
from domain.games.hansa_teutonica.view import View

SUPPLY = Kind("supply", "thing", "a trader or a merchant of the supply")
STOCK = Kind("stock", "thing", "a trader or a merchant of the stock")
POST = Kind("post", "thing", "a post, by its route and its number from the first city on")
ROUTE = Kind("route", "thing", "a route")
CITY = Kind("city", "thing", "a city")
OFFICE = Kind("office", "thing", "a printed office, by its city and its number from the left")
PRIZE = Kind("prize", "thing", "a space of special prestige, by its number")
ABILITY = Kind("ability", "thing", "an ability of the desk")
MARKER = Kind("marker", "thing", "a marker of the viewer that lies face up")
PROVINCE = Kind("province", "thing", "a province")
POSTS = Kind("posts", "part", "the posts of a route")
OFFICES = Kind("offices", "part", "the offices of a city")
FROM = Kind("from", "part", "the routes that begin in a city, with their posts")
MAP = Kind("map", "part", "all routes and posts")
INCOME = Kind("income", "word", "take an income")
TRADERS = Kind("traders", "word", "how many traders")
MERCHANTS = Kind("merchants", "word", "how many merchants")
PAY = Kind("pay", "word", "how many traders and how many merchants are paid")
HELD = Kind("held", "word", "a lifted piece: its seat, what it is, and the country if that matters")
DISPLACED = Kind("displaced", "word", "the displaced trader or merchant")
NOTHING = Kind("nothing", "word", "choose nothing for the route")
OPEN = Kind("open", "word", "open an office, or an extra one with a trader or a merchant")
DRAWN = Kind("drawn", "word", "a marker that was drawn")
PAWN = Kind("pawn", "word", "move the pawn freely, or send it for an action")
DECLINE = Kind("decline", "word", "use no more of it")
END = Kind("end", "word", "end the turn")
KINDS = tuple(kind for kind in dict(vars()).values() if isinstance(kind, Kind))


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The one way to point at a move."""
    yield _WAYS[type(move)](move)


def within(view: View, touch: Touch) -> Touch | None:
    """Posts are in the posts of their route, these and the route with those of the same city."""
    match kind_of(touch):
        case "post":
            return POSTS.of(which(touch).rpartition(":")[0])
        case "posts" | "route":
            return FROM.of(_first_city(view, which(touch)))
        case "from":
            return MAP.of()
        case "office":
            return OFFICES.of(which(touch).rpartition(":")[0])
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
    return HELD.of(move.owner, move.piece, *land), post(move.post)


def _bringing(move: moves.RelocatePiece | moves.DeployPiece) -> Way:
    """From where it comes, and where it goes."""
    if move.lifted is not None:
        return post(move.lifted), post(move.post)
    source = {"displaced": DISPLACED, "stock": STOCK}.get(move.source, SUPPLY)
    return source.of(move.piece), post(move.post)


def _swapping(move: moves.SwapOffices) -> Way:
    left, right = (OFFICE.of(move.city, move.left + step) for step in (0, 1))
    return MARKER.of("swap_offices"), left, right


def _saying(kind: Kind) -> Callable[[Any], Way]:
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
    moves.PlaceMarker: lambda m: (DRAWN.of(m.kind), ROUTE.of(m.route)),
    moves.EndTurn: _saying(END),
}


def _from_supply(view: View, piece: str, at: str) -> Iterator[Json]:
    """A piece that goes where nothing is, or displaces what is there."""
    route, place = _post(at)
    if any(sign for each, sign in enumerate(view.routes.get(route, ())) if each == place):
        pay = {"pay_traders": 1, "pay_merchants": 0}
        yield {"type": "DisplacePiece", "piece": piece, "post": (route, place), **pay}
    else:
        yield {"type": "PlacePiece", "piece": piece, "post": (route, place)}
    yield from _brought("supply", piece, at)


def _brought(source: str, piece: str, at: str) -> Iterator[Json]:
    """A piece that is relocated, or comes by a marker."""
    for kind in ("RelocatePiece", "DeployPiece"):
        yield {"type": kind, "source": source, "piece": piece, "post": _post(at)}


def _put(_view: View, held: str, at: str) -> Iterator[Json]:
    """A lifted piece that is put down again."""
    owner, _, what = held.partition(":")
    piece, _, country = what.partition(":")
    lifted = {"owner": number(owner), "piece": piece, "country": country or None}
    yield {"type": "PutPiece", **lifted, "post": _post(at)}


def _lifted(_view: View, at: str) -> Iterator[Json]:
    yield {"type": "LiftPiece", "post": _post(at)}
    yield {"type": "RemovePiece", "post": _post(at)}


def _opened(_view: View, route: str, city: str, what: str = "office") -> Iterator[Json]:
    """An office, or an extra one with a piece."""
    where = {"route": route, "city": city}
    if what == "office":
        yield {"type": "OpenOffice", **where}
    else:
        yield {"type": "OpenExtraOffice", **where, "piece": what}


def _post(at: str) -> tuple[str, int | str]:
    """A post by its route and its number."""
    route, _, place = at.rpartition(":")
    return route, number(place)


def _json(kind: str, *fields: str) -> Callable[..., Iterable[Json]]:
    """Moves whose fields are just what is touched for them."""
    return lambda _view, *names: [{"type": kind, **dict(zip(fields, names, strict=True))}]


MEANT: Meant = {
    ("supply", "post"): _from_supply,
    ("stock", "post"): lambda _view, piece, at: _brought("stock", piece, at),
    ("displaced", "post"): lambda _view, piece, at: _brought("displaced", piece, at),
    ("held", "post"): _put,
    ("post",): _lifted,
    ("supply", "city"): _json("OpenGreenOffice", "piece", "city"),
    ("drawn", "route"): _json("PlaceMarker", "kind", "route"),
    ("province",): _json("PawnToStart", "province"),
    ("pawn", "province"): lambda _view, how, province: [
        {"type": f"{how.capitalize()}Pawn", "province": province}
    ],
    ("marker",): _json("UseMarker", "kind"),
    ("route",): _json("EstablishRoute", "route"),
    ("route", "nothing"): lambda _view, route, _: [{"type": "EstablishRoute", "route": route}],
    ("route", "city"): _opened,
    ("route", "city", "open"): _opened,
    ("route", "city", "ability"): _json("ImproveAbility", "route", "city", "ability"),
    ("route", "prize"): lambda _view, route, space: [
        {"type": "TakeSpecialPrestige", "route": route, "space": number(space)}
    ],
}
"""What is meant by a piece and a post, a route and a city, wherever these are."""
