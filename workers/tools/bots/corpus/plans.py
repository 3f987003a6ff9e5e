"""What is played: the n-th match of a game in a corpus, always the same table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, Level
from domain.engine.options import counts
from domain.games import GAMES
from service.matches.commands import new_match_id

NAME = "demo-corpus"
USUAL = 2
"""How often a level is drawn for each time that one is which searches, and so takes long."""


class Corpus(msgspec.Struct, frozen=True):
    """A corpus: its seed, and the keys of the levels that play in it, by game. Whatever else is
    asked for, the n-th match of a game in it is the same.
    """

    seed: int
    levels: dict[str, tuple[str, ...]]


class Table(msgspec.Struct, frozen=True):
    """A match to be played: the level on each seat, and the options."""

    match: str
    game: str
    number: int  # within its game, from 0
    levels: tuple[str, ...]
    options: Json


def match_id(corpus: Corpus, game: str, number: int) -> str:
    """The id of the n-th match of a game, from 0."""
    return new_match_id(NAME, _named(corpus, game, number))


def table(corpus: Corpus, game: str, number: int) -> Table:
    """The n-th match of a game, from 0: each number of seats comes in turn, every other match has
    bots of one level, every other match has the options that are usual.
    """
    rules = GAMES[game]
    luck = Luck(_named(corpus, game, number))
    seats = rules.seats[number % len(rules.seats)]
    playing = [level for level in rules.levels if level.key in corpus.levels[game]]
    often = [level.key for level in playing for _ in range(1 if level.deep else USUAL)]
    one = choose(luck, often)
    mixed = tuple(choose(luck, often) for _ in range(seats))
    levels = (one,) * seats if luck.below(2) else mixed
    options = _some_options(rules, seats, luck) if luck.below(2) else {}
    return Table(match_id(corpus, game, number), game, number, levels, options)


def levels_of(game: Game[Any], wanted: Sequence[str]) -> tuple[str, ...]:
    """The keys of the levels of a game that are named, by key, name or label; all if none are."""
    names = {name.strip().casefold() for name in wanted}
    return tuple(level.key for level in game.levels if not names or names & _names(game, level))


def _names(game: Game[Any], level: Level) -> set[str]:
    return {one.casefold() for one in (level.key, game.bots()[level.key], level.label)}


def _named(corpus: Corpus, game: str, number: int) -> str:
    return f"{corpus.seed}|{game}|{','.join(corpus.levels[game])}|{number}"


def _some_options(game: Game[Any], seats: int, luck: Luck) -> Json:
    """Any values for those options that have a few; none if a table cannot have them together, or
    if they make a series, of which a match more would follow.
    """
    options = {name: choose(luck, values) for name, values in varied(game).items()}
    try:
        setup = game.setup(json_codec.read_options(game, options), seats)
    except BadOptions:
        return {}
    return {} if game.sequels is not None and game.sequels.planned(setup) else options


def varied(game: Game[Any]) -> dict[str, list[Any]]:
    """The options of a game that have a few values to choose from, with these values; but its mode
    is the usual one: what is asked of a corpus compares those who play against each other. Options
    that mean nothing in it are left out.
    """
    found = inspect.type_info(game.options)
    assert isinstance(found, inspect.StructType)
    values = {field.encode_name: list(_values(field.type)) for field in found.fields}
    usual = getattr(game.options(), "mode", None)
    fixed = {name for name in values if not counts(game.options, name, usual)}
    fixed |= {"mode"} if game.modes else set()
    return {name: some for name, some in values.items() if len(some) > 1 and name not in fixed}


def _values(kind: inspect.Type) -> Iterable[Any]:
    """What a field can hold, as far as that can be listed."""
    if isinstance(kind, inspect.Metadata):
        return _values(kind.type)
    if isinstance(kind, inspect.BoolType):
        return (False, True)
    if isinstance(kind, inspect.LiteralType):
        return kind.values
    if isinstance(kind, inspect.UnionType):
        return [value for one in kind.types for value in _values(one)]
    return ()
