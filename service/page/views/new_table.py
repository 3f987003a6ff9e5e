"""Opening a table: all that can be chosen for a match, as a form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from flask import Response

from domain.engine.game import Game
from domain.engine.options import FirstPlayer, own_to_modes
from domain.engine.sentences import Texts, Words, begun
from domain.match.state import ClockRule
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views.lobby import game_card
from service.page.views.match_lists import DAY_S, HOUR_S, MINUTE_S, clock_words
from service.page.visitor import visitors_language

Json = dict[str, Any]
MOST_OF_LIST = 6
"""So many values of a list can be chosen; few lists are longer."""
WHO_BEGINS = msgspec.json.schema(FirstPlayer)["pattern"]
"""What marks the option of who begins: by chance, or a seat."""
SEAT = "seat:"
CLOCKS = (
    None,
    ClockRule(per_move_s=MINUTE_S),
    ClockRule(per_move_s=5 * MINUTE_S),
    ClockRule(bank_s=10 * MINUTE_S, increment_s=15),
    ClockRule(bank_s=30 * MINUTE_S, increment_s=30),
    ClockRule(bank_s=HOUR_S),
    ClockRule(per_move_s=DAY_S),
    ClockRule(per_move_s=3 * DAY_S),
    ClockRule(bank_s=7 * DAY_S, increment_s=DAY_S),
)


@bp.get("/new/<game>")
def new(game: str) -> Response:
    """A form for a new table of a game."""
    known, language = annals().game(game), visitors_language()
    words = words_in(language)
    clocks = [(msgspec.json.encode(one).decode(), clock_words(one, words)) for one in CLOCKS]
    return render(
        "new",
        modules=("new.js",),
        game=game_card(known, language),
        options_of_game=options_of(known, language),
        clocks=clocks,
    )


@cache
def options_of(game: Game[Any], language: str) -> Sequence[Json]:
    """What can be chosen, each with its `kind`: `choice`, `yes`, `number` or `list`.

    `modes` has those in which alone it counts, none if it counts in all. A list has a place for
    each of its values; if none is chosen it is as if it were not sent.
    """
    schema = msgspec.json.schema(game.options)
    [known] = (one for one in schema["$defs"].values() if one["title"] == game.options.__name__)
    texts, modes = game.words(language).texts, own_to_modes(game.options)
    return [
        {"name": name, "says": _says(texts, name), "modes": modes.get(name), **control}
        for name, one in known["properties"].items()
        for control in _controls(name, one, game, texts)
    ]


def changed(game: Game[Any], options: Json, language: str) -> dict[str, str]:
    """In words, what a match has chosen that is not as usual: options and their values."""
    texts, usual = game.words(language).texts, msgspec.to_builtins(game.options())
    return {
        _says(texts, name): ", ".join(
            _chosen(name, one, texts, words_in(language))
            for one in (value if isinstance(value, list) else [value])
        )
        for name, value in options.items()
        if value != usual.get(name) and value != []
    }


def _chosen(name: str, value: Any, texts: Texts, words: Words) -> str:  # noqa: ANN401 - JSON
    """A value of an option, or one of several, in words."""
    match value:
        case bool():
            return words("yes") if value else words("no")
        case int():
            return str(value)
        case str() if value.startswith(SEAT):
            return words("seat", number=value.removeprefix(SEAT))
        case _:
            return _says(texts, name, str(value))


def _controls(name: str, one: Json, game: Game[Any], texts: Texts) -> Iterator[Json]:
    """How an option is chosen, if it can be by a form."""
    default = one.get("default")
    match one:
        case {"enum": values}:
            yield {"kind": "choice", "values": _values(texts, name, values, default)}
        case {"type": "boolean"}:
            yield {"kind": "yes", "default": default}
        case {"type": "integer"}:
            bounds = {"least": one.get("minimum"), "most": one.get("maximum")}
            yield {"kind": "number", "default": default, **bounds}
        case {"type": "string", "pattern": pattern} if pattern == WHO_BEGINS:
            yield {"kind": "first", "seats": game.seats[-1]}
        case {"anyOf": [*_, {"type": "array"} as several]} | ({"type": "array"} as several):
            yield {"kind": "list", "places": _places(several, name, game, texts)}
        case _:
            pass


def _places(several: Json, name: str, game: Game[Any], texts: Texts) -> list[Any]:
    """What can be chosen at each place of a list."""
    each = several.get("prefixItems")
    if each is None:
        most = min(several.get("maxItems") or game.seats[-1], MOST_OF_LIST)
        each = [several["items"]] * most
    return [_values(texts, name, one["enum"], None) for one in each]


def _values(texts: Texts, name: str, values: Sequence[Any], default: object) -> list[Json]:
    """Values by name; the default comes first, if there is one."""
    ordered = sorted(values, key=lambda value: value != default)
    return [{"value": value, "says": _says(texts, name, str(value))} for value in ordered]


def _says(texts: Texts, *name: str) -> str:
    """What an option, or a value of it, is called; KeyError without a text for it."""
    return begun(texts["_".join(("option", *name))])
