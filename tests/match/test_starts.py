"""Positions that matches start from: those from outside are held to the rules, recorded ones are
not.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import Game, new_state
from domain.games import GAMES
from domain.match.decisions import forks, lobby
from domain.match.log import fold_match
from domain.match.state import Match
from tests.engine.table import contents
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, SEED, Table, plan

ALL = {**GAMES, "toy": TOY}
MAX_MOVES = 60


def refuse(_state: Any) -> None:
    """A check of a later version, which knows better."""
    raise BadPosition("No game gets here.")


def first_position(game: Game[Any]) -> Any:
    """The position in which the first seat decides, as JSON."""
    setup = game.setup(game.options(), 2)
    return json_codec.json_round_trip(game.write_position(new_state(game, setup, 2, Luck(1))))


@pytest.mark.parametrize("key", ALL)
def test_a_recorded_match_is_read_after_an_update_that_checks_more(key: str) -> None:
    game, stricter = ALL[key], replace(ALL[key], check_position=refuse)
    recorded = Table("ann bob", game=game, position=first_position(game)).play(3)
    with pytest.raises(BadPosition):
        Table("ann bob", game=stricter, position=first_position(game))
    after = fold_match({key: stricter}, recorded.entries)
    assert contents(after.state) == contents(recorded.match.state)


@pytest.mark.parametrize("key", ALL)
def test_a_fork_starts_where_a_match_has_been_whatever_is_checked(key: str) -> None:
    source = Table("ann bob", game=ALL[key]).play(3).match
    source.game = stricter = replace(ALL[key], check_position=refuse)
    forked = forks.plan_fork(source, source, plan("", host="ann", match="f"), Luck(1))
    assert lobby.create(stricter, forked, SEED, NOON).events


def begin_from(game: Game[Any], position: Any) -> Match | None:
    """A match from a position; None if that has what only the middle of a turn has."""
    with suppress(BadPosition):
        return Table("ann bob", game=game, position=position).match
    return None


@pytest.mark.parametrize("key", ALL)
def test_a_match_from_a_position_has_no_history_and_a_fork_has(key: str) -> None:
    game = replace(ALL[key], check_position=lambda _: None)
    history, table = game.position_type.history, Table("ann bob", game=game)
    for _ in range(MAX_MOVES):
        given = json_codec.json_round_trip(game.write_position(table.match.state))
        if (history & given.keys() or not history) and (began := begin_from(game, given)):
            break
        table.move(table.legal()[-1])
    assert began
    empty = game.blank_state(began.setup, 2)
    assert all(getattr(began.state, name) == getattr(empty, name) for name in history)
    forked = forks.plan_fork(table.match, table.match, plan("", host="ann", match="f"), Luck(1))
    assert given.keys() & history == forked.position.keys() & history
    assert given.keys() & history or not history
