"""The form that opens a table, with all options of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from flask import Response

from domain.engine.game import Game
from domain.engine.options import FirstPlayer, mode_specific_options
from domain.engine.resources.texts import Texts
from domain.engine.sentences import Words, capitalize, seat_number
from domain.match.state import ClockRule
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.views.lobby import game_card
from service.page.views.match_lists import (
    DAY_S,
    HOUR_S,
    MINUTE_S,
    describe_clock,
    describe_duration,
)
from service.page.views.others import PATIENCES_DAYS
from service.page.visitor import visitor_language

Json = dict[str, Any]
MAX_LIST_VALUES = 6
"""Maximum number of values for an option that is a list; few lists are longer."""
FIRST_PLAYER_PATTERN = msgspec.json.schema(FirstPlayer)["pattern"]
"""The pattern that marks the option for the first player: `random`, or a seat."""
SEAT_PREFIX = "seat:"
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

RELIABILITIES = (80, 90, 95)
"""What a table can ask for on the page, in percent."""


def _patiences(usual: int, words: Words) -> list[tuple[int, str]]:
    """The days of patience to choose from, with their texts, also the usual ones of the service; if
    it has none, 0 for none.
    """
    days = sorted({*PATIENCES_DAYS, usual})
    return [
        (one, describe_duration(one * DAY_S, words) if one else words("patience_none"))
        for one in days
    ]


@bp.get("/new/<game>")
def new_table(game: str) -> Response:
    """The form for a new table of a game."""
    known, language = annals().game(game), visitor_language()
    words = words_in(language)
    clocks = [(msgspec.json.encode(one).decode(), describe_clock(one, words)) for one in CLOCKS]
    return render(
        "new",
        modules=("new.js", "lessons/learn.js"),
        game=game_card(known, language),
        options_of_game=option_controls(known, language),
        clocks=clocks,
        patiences=_patiences(usual := annals().settings.patience_days, words),
        usual_patience=usual,
        reliabilities=[
            ("null", words("reliability_any")),
            *((str(one), words("reliability_least", percent=one)) for one in RELIABILITIES),
        ],
    )


@cache
def option_controls(game: Game[Any], language: str) -> Sequence[Json]:
    """The options of a game, each with its `kind`: `choice`, `yes`, `number`, `first` or `list`.

    `modes` has the modes to which an option is limited; None if it applies to all. A list has a
    control for each of its values, and a hint that explains them; without a choice it is not sent.
    A list `by_seat` has a value for each seat.
    """
    schema = msgspec.json.schema(game.options)
    [known] = (one for one in schema["$defs"].values() if one["title"] == game.options.__name__)
    texts, modes = game.words(language).texts, mode_specific_options(game.options)
    return [
        {"name": name, "label": _label(texts, name), "modes": modes.get(name), **control}
        for name, one in known["properties"].items()
        for control in _controls(name, one, game, texts)
    ]


def non_default_options(game: Game[Any], options: Json, language: str) -> dict[str, str]:
    """The options of a match that differ from the default, in words: names and values."""
    texts, defaults = game.words(language).texts, msgspec.to_builtins(game.options())
    return {
        _label(texts, name): texts["list_more"].join(
            _describe_value(name, one, texts, words_in(language))
            for one in (value if isinstance(value, list) else [value])
        )
        for name, value in options.items()
        if value != defaults.get(name) and value != []
    }


def _describe_value(name: str, value: Any, texts: Texts, words: Words) -> str:  # noqa: ANN401 - JSON
    """A value of an option in words."""
    match value:
        case bool():
            return words("yes") if value else words("no")
        case int():
            return str(value)
        case str() if value.startswith(SEAT_PREFIX):
            return words("seat", number=seat_number(int(value.removeprefix(SEAT_PREFIX))))
        case _:
            return _label(texts, name, str(value))


def _controls(name: str, one: Json, game: Game[Any], texts: Texts) -> Iterator[Json]:
    """The control of an option, if a form can have one."""
    default = one.get("default")
    match one:
        case {"enum": values}:
            yield {"kind": "choice", "values": _value_choices(texts, name, values, default)}
        case {"type": "boolean"}:
            yield {"kind": "yes", "default": default}
        case {"type": "integer"}:
            bounds = {"least": one.get("minimum"), "most": one.get("maximum")}
            yield {"kind": "number", "default": default, **bounds}
        case {"type": "string", "pattern": pattern} if pattern == FIRST_PLAYER_PATTERN:
            yield {"kind": "first", "seats": game.seats[-1]}
        case {"anyOf": [*_, {"type": "array"} as several]} | ({"type": "array"} as several):
            places = _list_choices(several, name, game, texts)
            by_seat = not {"maxItems", "prefixItems"} & several.keys()
            hint = texts[f"hint_{name}"]
            yield {"kind": "list", "places": places, "hint": hint, "by_seat": by_seat}
        case _:
            pass


def _list_choices(several: Json, name: str, game: Game[Any], texts: Texts) -> list[Any]:
    """The values to choose from at each index of a list."""
    each = several.get("prefixItems")
    if each is None:
        most = min(several.get("maxItems") or game.seats[-1], MAX_LIST_VALUES)
        each = [several["items"]] * most
    return [_value_choices(texts, name, one["enum"], None) for one in each]


def _value_choices(texts: Texts, name: str, values: Sequence[Any], default: object) -> list[Json]:
    """Values with their names, the default first."""
    ordered = sorted(values, key=lambda value: value != default)
    return [{"value": value, "label": _label(texts, name, str(value))} for value in ordered]


def _label(texts: Texts, *name: str) -> str:
    """The name of an option, or of a value of it; raises KeyError if there is no text."""
    return capitalize(texts["_".join(("option", *name))])
