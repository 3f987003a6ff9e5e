"""What matches and seats can be told apart by: the dimensions of questions, and their filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from domain.engine.game import Game
from domain.engine.options import counts
from projections.statistics.storage import BAND_NAMES, FORFEIT, USUAL, Stored

Value = str | int | None
"""What a match or a seat has; None if there is no such thing of it."""
Of = Literal["match", "seat"]

NOTHING = "none"
"""How a filter names what has no value."""
BOT = "bot:"
MONTH = r"[0-9]{4}-(0[1-9]|1[0-2])"
PLAYER = r"u[0-9a-f]{16}"
COMPETITOR = rf"{PLAYER}|{BOT}[a-z0-9_]{{1,40}}"
ANYTHING = r"[^\x00-\x1f]{1,200}"


def itself(stored: Stored) -> Sequence[Value]:
    """What is stored is the value."""
    return (stored,)


class Dimension(msgspec.Struct, frozen=True):
    """One way to tell matches, or seats, apart; `values` are made of what is stored as `column`."""

    name: str
    of: Of
    says: str
    column: str
    values: Callable[[Any], Sequence[Value]] = itself
    known: tuple[str, ...] = ()  # all that a filter may ask for, if that is a closed list
    pattern: str = ANYTHING  # otherwise what it looks like

    def takes(self, text: str) -> bool:
        """Whether a filter may ask for this."""
        if text == NOTHING:
            return True
        return text in self.known if self.known else bool(re.fullmatch(self.pattern, text))


def written(value: Value) -> str:
    """A value as a filter names it."""
    return NOTHING if value is None else str(value)


def _of(of: Of, name: str, says: str, **more: Any) -> Dimension:  # noqa: ANN401 - passed on
    return Dimension(name, of, says, more.pop("column", name), **more)


COMMON: tuple[Dimension, ...] = (
    _of("match", "game", "The game.", pattern="[a-z0-9_]{1,40}"),
    _of("match", "seats", "The number of seats.", pattern="[0-9]{1,2}"),
    _of("match", "end", "How the game ended.", pattern="[a-z0-9_]{1,40}"),
    _of("match", "month", "The month in which it ended (UTC).", pattern=MONTH),
    _of("match", "rules", "The version of the rules.", pattern="[0-9]{1,9}"),
    _of(
        "match", "begun",
        "With what it began: as usual, or with a given `position` or `seed`, or as a `fork`;"
        " `forfeit` if somebody gave up before they had decided anything.",
        known=(USUAL, "position", "fork", "seed", FORFEIT),
    ),
    _of(
        "match", "rated", "Whether it counted for the ratings: `yes`, or why not.",
        pattern="[a-z_]{1,40}",
    ),
    _of("seat", "seat", "The number of the seat, from 0.", pattern="[0-9]{1,2}"),
    _of(
        "seat", "who", "Whether a `person` held the seat, or a `bot`.", known=("person", "bot"),
        values=lambda who: ("bot" if who.startswith(BOT) else "person",),
    ),
    _of(
        "seat", "level", "The level of the bot; none of a person.", column="who",
        pattern="[a-z0-9_]{1,40}",
        values=lambda who: (who.removeprefix(BOT) if who.startswith(BOT) else None,),
    ),
    _of(
        "seat", "rating", "The rating before the match (mu), in bands; none without one.",
        known=BAND_NAMES,
    ),
    _of("seat", "first", "The first decision: what was touched for it."),
    _of(
        "seat", "result", "Whether the seat `won`, `shared` the victory, or `lost`.",
        known=("won", "shared", "lost"),
    ),
    _of(
        "seat", "player", "Who sat there: the id of a player, or `bot:<level>`.", column="who",
        pattern=COMPETITOR,
    ),
    _of(
        "seat", "opponent", "Who else sat on any other seat.", column="others", pattern=COMPETITOR,
        values=str.split,
    ),
)  # fmt: skip
"""What there is of every game."""


@cache
def dimensions_of(game: Game[Any]) -> Mapping[str, Dimension]:
    """All dimensions of the matches of a game, by name: each option is one of them."""
    closed = {
        "seats": [str(count) for count in game.all_seats],
        "seat": [str(seat) for seat in range(game.all_seats[-1])],
        "level": [level.key for level in game.levels],
        "end": [*game.ends, "length", "resignation"],
    }
    common = [
        msgspec.structs.replace(one, known=tuple(closed.get(one.name, one.known)))
        for one in COMMON
        if one.name != "game"
    ]
    options = (_option(game, name) for name in game.options.__struct_fields__)
    return {one.name: one for one in (*common, *options)}


def _option(game: Game[Any], name: str) -> Dimension:
    """What was chosen; none in a mode in which the option means nothing."""

    def values(stored: str) -> Sequence[Value]:
        options = msgspec.json.decode(stored)
        if not counts(game.options, name, options.get("mode")):
            return (None,)
        chosen = options.get(name)
        return (chosen if isinstance(chosen, str) else msgspec.json.encode(chosen).decode(),)

    return Dimension(f"option.{name}", "match", f"The option `{name}`.", "options", values)
