"""The five tables of finished matches, column by column.

This is their only definition: exports follow it, and docs/tables.md repeats it. Any change of a
column, or of its meaning, makes a new version of all tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Raw, Struct


def about(description: str) -> Meta:
    """Return the description of a column."""
    return Meta(description=description)


MatchId = Annotated[str, about("the id of the match")]
Version = Annotated[int, about("the version of the match, as in `/v1/matches/{id}?version=`")]
SeatNumber = Annotated[int, about("the seat, from 0")]


class MatchRow(Struct, frozen=True, kw_only=True):
    """One row for each match."""

    match: MatchId
    rules: Annotated[int, about("version of the rules of the game")]
    options: Annotated[Raw, about("the options of the table, as JSON")]
    seats: Annotated[int, about("number of seats")]
    persons: Annotated[int, about("number of seats that a person held")]
    visibility: Annotated[str, about("`public` or `private`")]
    undo: Annotated[str, about("`free`, `consent` or `off`")]
    clock: Annotated[Raw | None, about("the clock, as JSON; null without one")]
    created: Annotated[int, about("time when the table was opened, ms since the epoch, UTC")]
    started: Annotated[int, about("time when the game started, in the same unit")]
    ended: Annotated[int, about("time when it ended, in the same unit; `month` follows from it")]
    end_reason: Annotated[str, about("the reason by the rules, or `length` or `resignation`")]
    won: Annotated[bool | None, about("whether a cooperative match was won; null in other matches")]
    versions: Annotated[int, about("number of entries")]
    decisions: Annotated[int, about("number of decisions, without undone ones")]
    draws: Annotated[int, about("number of draws, including undone ones")]
    undos: Annotated[int, about("number of undos and redos")]
    rated: Annotated[bool, about("whether it was rated")]
    unrated: Annotated[str | None, about("why it cannot be rated; null if it can")]
    given: Annotated[str | None, about("`fork`, `position` or `seed`, if it started from one")]
    forked_from: Annotated[str | None, about("the match that it was forked from")]
    series: Annotated[str | None, about("the id of its series")]
    series_number: Annotated[int | None, about("number of the match in its series, from 1")]
    seed_hash: Annotated[str, about("the hash of the seed, published before the game")]
    log_index: Annotated[int | None, about("its newest leaf in the transparency log, if known")]
    model: Annotated[int | None, about("method of the analysis; null without one")]


class SeatRow(Struct, frozen=True, kw_only=True):
    """One row for each seat of each match."""

    match: MatchId
    seat: SeatNumber
    player: Annotated[str | None, about("pseudonym of the player; null if no player held the seat")]
    name: Annotated[str | None, about("their name; null without `--names`")]
    bot: Annotated[str | None, about("level of the bot that held it at the end; null without one")]
    score: Annotated[int, about("points")]
    place: Annotated[int, about("from 1; equal seats share a place")]
    win_share: Annotated[
        float, about("1 divided by the number of winners, or 0; 1 in a cooperative victory")
    ]
    breakdown: Annotated[Raw, about("points by category, as JSON")]
    decisions: Annotated[int, about("number of decisions, without undone ones")]
    ms: Annotated[int, about("time for these decisions, in ms, without outages")]
    undos: Annotated[int, about("undos and redos that it requested and got")]
    timed_out: Annotated[bool, about("whether it ran out of time")]
    resigned: Annotated[bool, about("whether it resigned")]
    first: Annotated[str, about("its first decision: the touched things, separated by spaces")]
    rating_before: Annotated[
        float | None, about("mean of the rating before the match (mu); null if unrated")
    ]
    deviation_before: Annotated[
        float | None, about("deviation of the rating before the match (sigma)")
    ]
    rating_after: Annotated[float | None, about("the mean after the match")]
    deviation_after: Annotated[float | None, about("the deviation after the match")]
    start: Annotated[float | None, about("win probability at the start, by the analysis")]
    luck: Annotated[float | None, about("effect of draws on its win probability")]
    own: Annotated[float | None, about("effect of its decisions on its win probability")]
    others: Annotated[
        float | None, about("effect of the others' decisions; the three add up to the result")
    ]
    adjusted: Annotated[float | None, about("`win_share` minus `luck`")]
    accuracy: Annotated[float | None, about("0 to 100, over decisions with a choice")]
    error: Annotated[float | None, about("mean loss of win probability per decision")]


class DecisionRow(Struct, frozen=True, kw_only=True):
    """One row for each decision, including those on undone lines."""

    match: MatchId
    version: Version
    number: Annotated[int, about("number of the decision on its line, from 1")]
    seat: SeatNumber
    actor: Annotated[str, about("`person` or `bot`")]
    player: Annotated[str | None, about("the player, as in `seats`; null for a bot")]
    bot: Annotated[str | None, about("the level of the bot that decided")]
    decided: Annotated[int, about("time of the decision, ms since the epoch, UTC")]
    ms: Annotated[int, about("time since the match waited for the seat, in ms, without outages")]
    kind: Annotated[str, about("`type` of the move")]
    arguments: Annotated[Raw, about("the other fields of the move, as JSON")]
    n_legal: Annotated[int | None, about("number of legal moves; null with `--fast`")]
    score_after: Annotated[int, about("points of the seat after it")]
    scores: Annotated[tuple[int, ...], about("points of all seats after it")]
    win_before: Annotated[float | None, about("win probability of the seat before it")]
    win_after: Annotated[float | None, about("win probability of the seat after it")]
    chances: Annotated[tuple[float, ...] | None, about("win probabilities of all seats after it")]
    best_kind: Annotated[
        str | None, about("`type` of the best move, if it is better; otherwise null")
    ]
    best: Annotated[Raw | None, about("that move, as JSON")]
    error: Annotated[float | None, about("loss of win probability; null without a choice")]
    accuracy: Annotated[float | None, about("0 to 100; null without a choice")]
    undone: Annotated[bool, about("whether it was undone for good")]


class DrawRow(Struct, frozen=True, kw_only=True):
    """One row for each draw: an entry with dice."""

    match: MatchId
    version: Version
    k: Annotated[int, about("number of the draw, from 0, as in the events")]
    dice: Annotated[int | None, about("number of dice")]
    what: Annotated[tuple[str, ...] | None, about("types of the resulting events")]
    n_possible: Annotated[float | None, about("number of possible outcomes")]
    luck: Annotated[tuple[float, ...] | None, about("effect on the win probability of each seat")]
    undone: Annotated[bool, about("whether it was undone for good")]


class EventRow(Struct, frozen=True, kw_only=True):
    """One row for each event."""

    match: MatchId
    version: Version
    i: Annotated[int, about("index of the event in its entry, from 0")]
    recorded: Annotated[int, about("time of its entry, ms since the epoch, UTC")]
    type: Annotated[str, about("`type` of the event")]
    event: Annotated[Raw, about("the whole event, as JSON")]


class Column(NamedTuple):
    """A column: its name, its SQL type, whether it may be null, and its description."""

    name: str
    sql: str
    nullable: bool
    about: str


Row = MatchRow | SeatRow | DecisionRow | DrawRow | EventRow
JSON = "JSON"
TABLES: Mapping[str, type[Row]] = {
    "matches": MatchRow,
    "seats": SeatRow,
    "decisions": DecisionRow,
    "draws": DrawRow,
    "events": EventRow,
}
PARTITIONS: Mapping[str, str] = {
    "game": "the game, from the path of the file",
    "month": "the month in which the match ended, as `2026-11` (UTC), from the path of the file",
}
"""The columns that partition the files of a table, in this order; every table has them, no file
does.
"""
_SQL: Mapping[Any, str] = {
    bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR", Raw: JSON,
    tuple[int, ...]: "BIGINT[]", tuple[float, ...]: "DOUBLE[]", tuple[str, ...]: "VARCHAR[]",
}  # fmt: skip


def columns(table: str) -> list[Column]:
    """Return the columns of a table, in order."""
    hints = get_type_hints(TABLES[table], include_extras=True)
    return [_column(name, *get_args(hint)) for name, hint in hints.items()]


def file_type(column: Column) -> str:
    """Return the type of a column in files, where JSON is text."""
    return "VARCHAR" if column.sql == JSON else column.sql


def _column(name: str, kind: Any, meta: Meta) -> Column:  # noqa: ANN401  a type
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    [real] = (option for option in options if option is not type(None))
    assert meta.description
    return Column(name, _SQL[real], len(options) > 1, meta.description)
