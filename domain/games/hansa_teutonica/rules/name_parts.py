"""Names as parts of sentences, made once, so that refusals are cheap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from domain.engine.sentences import Part, Sentence, either, sentence
from domain.games.hansa_teutonica import board


def _words(prefix: str, names: Iterable[str]) -> dict[str, Sentence]:
    return {name: Sentence(f"{prefix}_{name}") for name in names}


_MAPS = board.MAPS.values()
_CITIES = _words("city", (city.id for chart in _MAPS for city in chart.cities))
_ROUTES = {
    route.id: Sentence("route", {"one": _CITIES[route.cities[0]], "two": _CITIES[route.cities[1]]})
    for chart in _MAPS
    for route in chart.routes
}
_PROVINCES = _words("province", (province.id for province in board.PROVINCES))
PIECES = _words("piece", board.PIECES)
MARKERS = _words("marker", board.MARKERS)
ABILITIES = _words("ability", board.ABILITIES)
PRIVILEGES = _words("privilege", board.PRIVILEGES)
COUNTRIES = _words("country", get_args(board.Country))
SOURCES = _words("from", get_args(board.Source))


def city(name: str) -> Part:
    """A city by its id; unknown ids stay as they are."""
    return _CITIES.get(name, name)


def route(name: str) -> Part:
    """A route by its id, named after its two cities."""
    return _ROUTES.get(name, name)


def post(at: board.Post) -> Sentence:
    """A post, counted from 1."""
    return Sentence("post", {"route": route(at[0]), "number": at[1] + 1})


def province(name: str) -> Part:
    """A province by its id."""
    return _PROVINCES.get(name, name)


def counts(traders: int, merchants: int) -> dict[str, Part]:
    """These numbers of traders and merchants, as parts with these names."""
    return {
        "traders": sentence("traders", count=traders),
        "merchants": sentence("merchants", count=merchants),
    }


def one_of(abilities: Sequence[int]) -> Part:
    """One of several abilities, by their numbers."""
    return either(lambda _view, number: ABILITIES[board.ABILITIES[number]])(None, abilities)
