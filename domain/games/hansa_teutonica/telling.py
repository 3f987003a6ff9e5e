"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    Texts,
    Who,
    Words,
    counted,
    each,
    person,
    read,
    sentence,
    word,
)
from domain.games.hansa_teutonica.board import MAPS, PIECES, PROVINCES, Post
from domain.games.hansa_teutonica.events.course import MarkerOnRoute
from domain.games.hansa_teutonica.rules import named
from domain.games.hansa_teutonica.state.table import owner_of, piece_of
from domain.games.hansa_teutonica.view import View


def _city(_view: View, city: str) -> Part:
    return named.city(city)


def _route(_view: View, route: str) -> Part:
    return named.route(route)


def _province(_view: View, province: str) -> Part:
    return named.province(province)


def _post(_view: View, post: Post) -> Part:
    return named.post(post)


def _laid(_view: View, marker: MarkerOnRoute) -> Part:
    kind = Sentence(f"marker_{marker.kind}")
    return sentence("laid", kind=kind, route=named.route(marker.route))


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
    "country": word("country"),
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


def _with_names(own: Texts) -> Texts:
    """The texts of a language, with the names in the box; those of places also where it has none.

    A city is called as the language does, and is found on the map by its printed name.
    """
    cities = {city.id: city.name for chart in MAPS.values() for city in chart.cities}
    names = {f"city_{city}": name for city, name in cities.items()}
    names |= {f"printed_{city}": name for city, name in cities.items()}
    names |= {f"side_{chart.id}": chart.label for chart in MAPS.values()}
    names |= {f"province_{province.id}": province.name for province in PROVINCES}
    return names | dict(own)


TEXTS = {language: _with_names(own) for language, own in read(__package__).items()}
ENGLISH = Words(TEXTS["en"])
