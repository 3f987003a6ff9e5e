"""The n-th match of a game in a corpus: always the same table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, Level
from domain.engine.options import has_effect
from domain.games import GAMES
from service.matches.commands import new_match_id

HOST_NAME = "demo-corpus"
QUICK_WEIGHT = 2
"""How often a quick level is drawn for each time that one which searches is drawn."""


class Corpus(msgspec.Struct, frozen=True):
    """A corpus: its seed, and by game the keys of the levels that play in it. They determine its
    n-th match.
    """

    seed: int
    levels: dict[str, tuple[str, ...]]


class Table(msgspec.Struct, frozen=True):
    """A match to play: the level at each seat, and the options."""

    match: str
    game: str
    number: int  # within its game, from 0
    levels: tuple[str, ...]
    options: Json


def corpus_match_id(corpus: Corpus, game: str, number: int) -> str:
    """Return the id of the n-th match of a game, from 0."""
    return new_match_id(HOST_NAME, _match_name(corpus, game, number))


def plan_table(corpus: Corpus, game: str, number: int) -> Table:
    """Return the n-th match of a game, from 0. The numbers of seats take turns; about half of the
    matches have bots of one level, and about half have the default options.
    """
    rules = GAMES[game]
    luck = Luck(_match_name(corpus, game, number))
    seats = rules.seats[number % len(rules.seats)]
    playing = [level for level in rules.levels if level.key in corpus.levels[game]]
    weighted = [level.key for level in playing for _ in range(1 if level.deep else QUICK_WEIGHT)]
    one = choose(luck, weighted)
    mixed = tuple(choose(luck, weighted) for _ in range(seats))
    levels = (one,) * seats if luck.below(2) else mixed
    options = _random_options(rules, seats, luck) if luck.below(2) else {}
    return Table(corpus_match_id(corpus, game, number), game, number, levels, options)


def levels_of(game: Game[Any], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of the levels of a game with these keys, names or labels; all levels if none
    is named.
    """
    names = {name.strip().casefold() for name in wanted}
    return tuple(level.key for level in game.levels if not names or names & _names(game, level))


def _names(game: Game[Any], level: Level) -> set[str]:
    return {one.casefold() for one in (level.key, game.bot_names()[level.key], level.label)}


def _match_name(corpus: Corpus, game: str, number: int) -> str:
    return f"{corpus.seed}|{game}|{','.join(corpus.levels[game])}|{number}"


def _random_options(game: Game[Any], seats: int, luck: Luck) -> Json:
    """Random values for the options that have a few. Empty if a table cannot combine them, or if
    they make a series, from which further matches would follow.
    """
    options = {name: choose(luck, values) for name, values in options_to_vary(game).items()}
    try:
        setup = game.setup(json_codec.read_options(game, options), seats)
    except BadOptions:
        return {}
    return {} if game.series is not None and game.series.is_series(setup) else options


def options_to_vary(game: Game[Any]) -> dict[str, list[Any]]:
    """Return the options of a game that have a few values, with these values.

    The mode stays the default one, because a corpus compares players who compete. Options without
    effect in it are left out.
    """
    found = inspect.type_info(game.options)
    assert isinstance(found, inspect.StructType)
    values = {field.encode_name: list(_values(field.type)) for field in found.fields}
    usual = getattr(game.options(), "mode", None)
    fixed = {name for name in values if not has_effect(game.options, name, usual)}
    fixed |= {"mode"} if game.seats_by_mode else set()
    return {name: some for name, some in values.items() if len(some) > 1 and name not in fixed}


def _values(kind: inspect.Type) -> Iterable[Any]:
    """Return the possible values of a field, if they can be listed."""
    if isinstance(kind, inspect.Metadata):
        return _values(kind.type)
    if isinstance(kind, inspect.BoolType):
        return (False, True)
    if isinstance(kind, inspect.LiteralType):
        return kind.values
    if isinstance(kind, inspect.UnionType):
        return [value for one in kind.types for value in _values(one)]
    return ()
