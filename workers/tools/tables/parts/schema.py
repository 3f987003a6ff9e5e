"""The five tables of matches that are over, column by column.

This is all there is to say of them: files are written by it, and docs/tables.md repeats it. What a
column means never changes; a change of any kind makes another version of all tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Raw, Struct


def about(description: str) -> Meta:
    """What a column is."""
    return Meta(description=description)


MatchId = Annotated[str, about("the id of the match")]
Version = Annotated[int, about("the version of the match, as in `/v1/matches/{id}?version=`")]
SeatNumber = Annotated[int, about("the seat, from 0")]


class MatchRow(Struct, frozen=True, kw_only=True):
    """One row for each match."""

    match: MatchId
    rules: Annotated[int, about("version of the rules of the game")]
    options: Annotated[Raw, about("what was chosen, as JSON")]
    seats: Annotated[int, about("how many seats it has")]
    persons: Annotated[int, about("how many seats a person held")]
    visibility: Annotated[str, about("`public` or `private`")]
    undo: Annotated[str, about("`free`, `consent` or `off`")]
    clock: Annotated[Raw | None, about("how time was limited, as JSON; null if it was not")]
    created: Annotated[int, about("when the table was opened, ms since the epoch, UTC")]
    started: Annotated[int, about("when the game began, likewise")]
    ended: Annotated[int, about("when it was over, likewise; `month` is that of it")]
    end_reason: Annotated[str, about("the reason of the rules; or `length`, `resignation`")]
    won: Annotated[
        bool | None, about("whether all who play together have won; null if they do not")
    ]
    versions: Annotated[int, about("how many entries it has")]
    decisions: Annotated[int, about("how many decisions the line has that was played")]
    draws: Annotated[int, about("how often dice fell, on all lines")]
    undos: Annotated[int, about("how many undos and redos there were")]
    rated: Annotated[bool, about("whether ratings took note of it")]
    unrated: Annotated[str | None, about("why it counts for no rating; null if nothing is against")]
    given: Annotated[str | None, about("`fork`, `position` or `seed`, if it began with one")]
    forked_from: Annotated[str | None, about("the match that it is a fork of")]
    series: Annotated[str | None, about("the id of its series")]
    series_number: Annotated[int | None, about("which match of the series it is, from 1")]
    seed_hash: Annotated[str, about("the hash of the seed that was shown beforehand")]
    log_index: Annotated[int | None, about("its newest leaf in the transparency log, if known")]
    model: Annotated[int | None, about("method of the analysis; null if there is none")]


class SeatRow(Struct, frozen=True, kw_only=True):
    """One row for each seat of each match."""

    match: MatchId
    seat: SeatNumber
    player: Annotated[str | None, about("who held it: a pseudonym; null for a bot's own seat")]
    name: Annotated[str | None, about("their name; null unless names were asked for")]
    bot: Annotated[str | None, about("level of the bot that played it in the end; null for none")]
    score: Annotated[int, about("points")]
    place: Annotated[int, about("from 1; equals share a place")]
    win_share: Annotated[
        float, about("1 divided by the number of winners, or 0; 1 if won together")
    ]
    breakdown: Annotated[Raw, about("the points by where they come from, as JSON")]
    decisions: Annotated[int, about("on the line that was played")]
    ms: Annotated[int, about("time for these decisions, in ms")]
    undos: Annotated[int, about("undos and redos that it wanted, and got")]
    timed_out: Annotated[bool, about("whether its time ran out")]
    resigned: Annotated[bool, about("whether it gave up")]
    first: Annotated[str, about("its first decision: what is touched for it, spaces between")]
    rating_before: Annotated[float | None, about("mean of its rating (mu); null if unrated")]
    deviation_before: Annotated[float | None, about("deviation of its rating (sigma)")]
    rating_after: Annotated[float | None, about("the mean after the match")]
    deviation_after: Annotated[float | None, about("the deviation after the match")]
    start: Annotated[float | None, about("its chance to win at the start, by the analysis")]
    luck: Annotated[float | None, about("what draws gave it, in chance to win")]
    own: Annotated[float | None, about("what its own decisions did, likewise")]
    others: Annotated[
        float | None, about("what those of the others did; the three make up the result")
    ]
    adjusted: Annotated[float | None, about("its share of the victory less its luck")]
    accuracy: Annotated[float | None, about("0 to 100, over decisions that were not forced")]
    error: Annotated[float | None, about("mean chance to win given away by a decision")]


class DecisionRow(Struct, frozen=True, kw_only=True):
    """One row for each decision, also on lines that were undone."""

    match: MatchId
    version: Version
    number: Annotated[int, about("which decision of its line it is, from 1")]
    seat: SeatNumber
    actor: Annotated[str, about("`person` or `bot`")]
    player: Annotated[str | None, about("who decided, as in `seats`; null for a bot")]
    bot: Annotated[str | None, about("the level of the bot that decided")]
    at: Annotated[int, about("when, ms since the epoch, UTC")]
    ms: Annotated[int, about("how long the seat had been asked, in ms")]
    kind: Annotated[str, about("what it chose: `type` of the move")]
    arguments: Annotated[Raw, about("all else of the move, as JSON")]
    n_legal: Annotated[int | None, about("how many moves there were; null with `--fast`")]
    score_after: Annotated[int, about("points of the seat after it")]
    scores: Annotated[tuple[int, ...], about("points of all seats after it")]
    win_before: Annotated[float | None, about("chance of the seat to win before it")]
    win_after: Annotated[float | None, about("chance of the seat to win after it")]
    chances: Annotated[tuple[float, ...] | None, about("chances of all seats after it")]
    best_kind: Annotated[str | None, about("`type` of a better move; null if there was none")]
    best: Annotated[Raw | None, about("that move, as JSON")]
    error: Annotated[float | None, about("chance to win given away; null if it was forced")]
    accuracy: Annotated[float | None, about("0 to 100; null if it was forced")]
    undone: Annotated[bool, about("whether it is on a line that was undone for good")]


class DrawRow(Struct, frozen=True, kw_only=True):
    """One row for each draw: an entry in which dice fell."""

    match: MatchId
    version: Version
    k: Annotated[int, about("number of the draw, from 0, as in the events")]
    dice: Annotated[int | None, about("how many numbers fell")]
    what: Annotated[tuple[str, ...] | None, about("types of the events that came of it")]
    n_possible: Annotated[float | None, about("in how many ways it could have fallen")]
    luck: Annotated[tuple[float, ...] | None, about("what it gave each seat, in chance to win")]
    undone: Annotated[bool, about("whether it is on a line that was undone for good")]


class EventRow(Struct, frozen=True, kw_only=True):
    """One row for each event."""

    match: MatchId
    version: Version
    i: Annotated[int, about("place of the event in its entry, from 0")]
    at: Annotated[int, about("when, ms since the epoch, UTC")]
    type: Annotated[str, about("`type` of the event")]
    event: Annotated[Raw, about("the whole event, as JSON")]


class Column(NamedTuple):
    """A column: its name, its type in SQL, whether it may be null, and what it is."""

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
"""What tells the files of a table apart, in this order: columns of every table, in no file."""
_SQL: Mapping[Any, str] = {
    bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR", Raw: JSON,
    tuple[int, ...]: "BIGINT[]", tuple[float, ...]: "DOUBLE[]", tuple[str, ...]: "VARCHAR[]",
}  # fmt: skip


def columns(table: str) -> list[Column]:
    """The columns of a table, in order."""
    hints = get_type_hints(TABLES[table], include_extras=True)
    return [_column(name, *get_args(hint)) for name, hint in hints.items()]


def stored_as(column: Column) -> str:
    """The type of a column in files, where JSON is text."""
    return "VARCHAR" if column.sql == JSON else column.sql


def _column(name: str, kind: Any, meta: Meta) -> Column:  # noqa: ANN401  a type
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    [real] = (option for option in options if option is not type(None))
    assert meta.description
    return Column(name, _SQL[real], len(options) > 1, meta.description)
