"""The dimensions of queries, by which matches and seats are grouped and filtered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from domain.engine.game import Game
from domain.engine.options import has_effect
from projections.statistics.storage import FORFEIT, RATING_BANDS, USUAL, StoredValue

Value = str | int | None
"""A value of a match or a seat; None if it has none."""
Subject = Literal["match", "seat"]

NO_VALUE = "none"
"""The text of a filter for a missing value."""
BOT_PREFIX = "bot:"
MONTH = r"[0-9]{4}-(0[1-9]|1[0-2])"
PLAYER = r"u[0-9a-f]{16}"
COMPETITOR = rf"{PLAYER}|{BOT_PREFIX}[a-z0-9_]{{1,40}}"
ANY_TEXT = r"[^\x00-\x1f]{1,200}"


def identity(stored: StoredValue) -> Sequence[Value]:
    """Return the stored value, unchanged."""
    return (stored,)


class Dimension(msgspec.Struct, frozen=True):
    """One way to group matches or seats; `values` computes its values from the stored `column`."""

    name: str
    subject: Subject
    description: str
    column: str
    values: Callable[[Any], Sequence[Value]] = identity
    allowed: tuple[str, ...] = ()  # all texts that a filter may have, if the list is closed
    pattern: str = ANY_TEXT  # otherwise the pattern of its texts

    def accepts(self, text: str) -> bool:
        """Return whether a filter may have this text."""
        if text == NO_VALUE:
            return True
        return text in self.allowed if self.allowed else bool(re.fullmatch(self.pattern, text))


def filter_text(value: Value) -> str:
    """Return the text of a filter for a value."""
    return NO_VALUE if value is None else str(value)


def _dimension(subject: Subject, name: str, description: str, **more: Any) -> Dimension:  # noqa: ANN401 - passed on
    return Dimension(name, subject, description, more.pop("column", name), **more)


COMMON_DIMENSIONS: tuple[Dimension, ...] = (
    _dimension("match", "game", "The game.", pattern="[a-z0-9_]{1,40}"),
    _dimension("match", "seats", "The number of seats.", pattern="[0-9]{1,2}"),
    _dimension("match", "end", "How the game ended.", pattern="[a-z0-9_]{1,40}"),
    _dimension("match", "month", "The month in which it ended (UTC).", pattern=MONTH),
    _dimension("match", "rules", "The version of the rules.", pattern="[0-9]{1,9}"),
    _dimension(
        "match", "begun",
        "How it began: as usual, from a given `position` or `seed`, or as a `fork`;"
        " `forfeit` if a player resigned before deciding anything.",
        allowed=(USUAL, "position", "fork", "seed", FORFEIT),
    ),
    _dimension(
        "match", "rated", "Whether it was rated: `yes`, or the reason why not.",
        pattern="[a-z_]{1,40}",
    ),
    _dimension("seat", "seat", "The number of the seat, from 0.", pattern="[0-9]{1,2}"),
    _dimension(
        "seat", "who", "Whether a `person` or a `bot` held the seat.", allowed=("person", "bot"),
        values=lambda who: ("bot" if who.startswith(BOT_PREFIX) else "person",),
    ),
    _dimension(
        "seat", "level", "The level of the bot; none for a person.", column="who",
        pattern="[a-z0-9_]{1,40}",
        values=lambda who: (who.removeprefix(BOT_PREFIX) if who.startswith(BOT_PREFIX) else None,),
    ),
    _dimension(
        "seat", "rating", "The band of the rating before the match (mu); none without one.",
        allowed=RATING_BANDS,
    ),
    _dimension("seat", "first", "The thing touched for the first decision."),
    _dimension(
        "seat", "result", "Whether the seat `won`, `shared` the victory, or `lost`.",
        allowed=("won", "shared", "lost"),
    ),
    _dimension(
        "seat", "player", "The competitor: the id of a player, or `bot:<level>`.", column="who",
        pattern=COMPETITOR,
    ),
    _dimension(
        "seat", "opponent", "Any competitor at another seat.", column="others", pattern=COMPETITOR,
        values=str.split,
    ),
)  # fmt: skip
"""The dimensions of every game."""


@cache
def dimensions_of(game: Game[Any]) -> Mapping[str, Dimension]:
    """Return all dimensions of the matches of a game, by name; each option is one."""
    closed = {
        "seats": [str(count) for count in game.seat_range],
        "seat": [str(seat) for seat in range(game.seat_range[-1])],
        "level": [level.key for level in game.levels],
        "end": [*game.end_reasons, "length", "resignation"],
    }
    common = [
        msgspec.structs.replace(one, allowed=tuple(closed.get(one.name, one.allowed)))
        for one in COMMON_DIMENSIONS
        if one.name != "game"
    ]
    options = (_option_dimension(game, name) for name in game.options.__struct_fields__)
    return {one.name: one for one in (*common, *options)}


def _option_dimension(game: Game[Any], name: str) -> Dimension:
    """Return the dimension of an option; its value is None in a mode in which the option has no
    effect.
    """

    def values(stored: str) -> Sequence[Value]:
        options = msgspec.json.decode(stored)
        if not has_effect(game.options, name, options.get("mode")):
            return (None,)
        chosen = options.get(name)
        return (chosen if isinstance(chosen, str) else msgspec.json.encode(chosen).decode(),)

    return Dimension(f"option.{name}", "match", f"The option `{name}`.", "options", values)
