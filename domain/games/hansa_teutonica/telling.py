"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.telling import (
    Part,
    Sayings,
    Sentence,
    Who,
    Words,
    counted,
    each,
    person,
    read,
    sentence,
    word,
)
from domain.games.hansa_teutonica.board import PIECES, Post
from domain.games.hansa_teutonica.events.course import MarkerOnRoute
from domain.games.hansa_teutonica.state.table import owner_of, piece_of
from domain.games.hansa_teutonica.view import View


def city_names(view: View) -> dict[str, str]:
    """The names of the cities."""
    return {city.id: city.name for city in view.map.cities}


def route_names(view: View) -> dict[str, str]:
    """Routes by the names of their cities."""
    names = city_names(view)
    return {route.id: "-".join(names[city] for city in route.cities) for route in view.map.routes}


def _city(view: View, city: str) -> Part:
    return city_names(view).get(city, city)


def _route(view: View, route: str) -> Part:
    return route_names(view).get(route, route)


def _province(view: View, province: str) -> Part:
    return next((each.name for each in view.provinces if each.id == province), province)


def _post(view: View, post: Post) -> Part:
    return sentence("post", route=_route(view, post[0]), number=post[1] + 1)


def _laid(view: View, marker: MarkerOnRoute) -> Part:
    return sentence(
        "laid", kind=Sentence(f"marker_{marker.kind}"), route=_route(view, marker.route)
    )


def _held(_view: View, code: int) -> Part:
    return Sentence(f"held_{PIECES[piece_of(code)]}", {"owner": Who(owner_of(code))})


def _number(_view: View, number: int | str) -> Part:
    """A number as people count: from 1."""
    return int(number) + 1


SAYINGS: Sayings = {
    "ability": word("ability"),
    "actions": counted("actions"),
    "AbilityImproved.actions": counted("more_actions"),
    "ActionSpent.left": counted("actions"),
    "bonus": word("bonus"),
    "city": _city,
    "coin": counted("coin"),
    "displaced": word("piece"),
    "extras": counted("extras"),
    "held": each(_held),
    "kind": word("marker"),
    "kinds": each(word("marker")),
    "lifted": _post,
    "markers": each(_laid),
    "merchants": counted("merchants"),
    "office": _number,
    "OfficesSwapped.left": _number,
    "owner": person,
    "paid_merchants": counted("merchants"),
    "paid_traders": counted("traders"),
    "piece": word("piece"),
    "points": counted("prestige"),
    "GameEnded.points": each(counted("points")),
    "post": _post,
    "province": _province,
    "reason": word("end"),
    "route": _route,
    "source": word("source"),
    "space": _number,
    "traders": counted("traders"),
    "unused": counted("actions"),
    "touch_ability.a": word("ability"),
    "touch_city.a": _city,
    "touch_displaced.a": word("piece"),
    "touch_drawn.a": word("marker"),
    "touch_from.a": _city,
    "touch_held.a": lambda _view, seat: Who(int(seat)),
    "touch_held.b": word("piece"),
    "touch_marker.a": word("marker"),
    "touch_office.a": _city,
    "touch_office.b": _number,
    "touch_offices.a": _city,
    "touch_open.a": word("open"),
    "touch_pawn.a": word("pawn"),
    "touch_post.a": _route,
    "touch_post.b": _number,
    "touch_posts.a": _route,
    "touch_prize.a": _number,
    "touch_province.a": _province,
    "touch_route.a": _route,
    "touch_stock.a": word("piece"),
    "touch_supply.a": word("piece"),
}
TEXTS = read(__package__)
ENGLISH = Words(TEXTS["en"])
