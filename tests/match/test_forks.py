"""Forks: a match goes on from any moment of another one; docs/undo.md."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import GameOver
from domain.engine.game import Game, legal_moves
from domain.games import GAMES
from domain.match.decisions import ending, forks, lobby, playing, undo
from domain.match.errors import Forbidden, Impossible, InvalidCommand
from domain.match.events import Created
from domain.match.log import Draft, apply_events, make_entry
from domain.match.state import Chair, ForkedFrom, Match
from tests.engine.table import contents
from tests.engine.toy import GAME as TOY
from tests.games.modes import modes_of
from tests.games.record import any_move
from tests.games.seen import show_all
from tests.match.table import NOON, SEED, Table, plan
from tests.support.for_each import for_each

ALL = {name: one for game in (*GAMES.values(), TOY) for name, one in modes_of(game).items()}
"""Each game in each of its modes."""
SECRETIVE = [key for key, game in ALL.items() if game.imagine.__name__ != "identity"]
PEOPLE = ("ann", "bob", "cid", "dan", "eve")
OTHER_SEED = bytes(32)
LONG = 60
"""Moves in the source match."""
MOMENTS = 12
"""About how many moments of it are forked."""


@cache
def moments(game: Game[Any], seats: int) -> list[Match]:
    """A match at each of its versions, with an undone line; the last player resigns."""
    people, luck = PEOPLE[:seats], Luck(game.key)
    match = Match(game, SEED)
    found = [match]
    _record(found, lobby.create(game, plan(" ".join(people), undo="free"), SEED, NOON))
    for made in range(LONG):
        match = found[-1]
        if match.status == "active":
            _record(found, playing.move(match, any_move(game, match.state, luck), NOON))
        match = found[-1]
        if match.status == "active" and made % 8 == 5:
            back = choose(luck, match.line[:-1]).version
            _record(found, undo.undo(match, people[0], back, NOON))
    for player in reversed(people):
        if found[-1].status == "active":
            _record(found, playing.resign(found[-1], player, NOON))
    assert found[-1].over
    return found[1:]


def _record(found: list[Match], draft: Draft) -> None:
    after = found[-1].copy()
    apply_events(
        after, make_entry(draft, after.version + 1, "x", NOON, 1, b"c", SEED), draft.events
    )
    found.append(after)


def open_fork(
    source: Match, moment: Match, host: str = "ann", seats: str = "", **more: Any
) -> Match:
    """Open a fork with other dice."""
    wanted = plan(seats, host=host, match="f", **more)
    planned = forks.plan_fork(source, moment, wanted, Luck("fork"))
    draft = lobby.create(source.game, planned, OTHER_SEED, NOON)
    match = Match(source.game, OTHER_SEED)
    apply_events(match, make_entry(draft, 1, host, NOON, 1, b"c", OTHER_SEED), draft.events)
    return match


@pytest.mark.parametrize("key", ALL)
def test_a_fork_of_a_match_that_is_over_begins_exactly_as_it_was_at_any_version(key: str) -> None:
    game = ALL[key]
    found = moments(game, game.seats[0])
    source, told = found[-1], 0
    assert any(moment.left.newest for moment in found), "on lines that were undone, too"
    some = found[:: max(1, len(found) // MOMENTS)]
    for moment in (moment for moment in some if moment.seats_to_move):
        fork = open_fork(source, moment)
        assert contents(fork.state) == contents(moment.state)
        assert fork.setup == moment.setup
        told += 1
        if told % 10 == 1:
            for seat in (None, *range(game.seats[0])):
                assert show_all(game, fork.state, seat) == show_all(game, moment.state, seat)
                assert game.view(fork.state, seat) == game.view(moment.state, seat)
    assert told > 5


@pytest.mark.parametrize("key", ALL)
def test_a_fork_can_be_played_undone_and_forked_again(key: str) -> None:
    game = ALL[key]
    found = moments(game, game.seats[0])
    waiting = [one for one in found if one.seats_to_move]
    moment = waiting[len(waiting) // 2]
    people = " ".join(PEOPLE[: game.seats[0]])
    grown = [open_fork(found[-1], moment, seats=people, undo="free")]
    _record(grown, playing.move(grown[-1], any_move(game, grown[-1].state, Luck(3)), NOON))
    _record(grown, undo.undo(grown[-1], "ann", 1, NOON))
    assert contents(grown[-1].state) == contents(moment.state)
    for player in reversed(PEOPLE[: game.seats[0]]):
        if not grown[-1].over:
            _record(grown, playing.resign(grown[-1], player, NOON))
    again = open_fork(grown[-1], grown[0])
    assert contents(again.state) == contents(moment.state)
    assert again.forked_from == ForkedFrom("f", 1)


@pytest.mark.parametrize("key", ALL)
def test_a_fork_of_a_match_in_play_looks_the_same_to_who_made_it(key: str) -> None:
    game = ALL[key]
    seats = game.seats[0]
    found = [moment for moment in moments(game, seats) if moment.seats_to_move]
    for moment in found[:: max(1, len(found) // 6)]:
        for seat in range(seats):
            fork = open_fork(found[-1], moment, host=PEOPLE[seat])
            assert game.view(fork.state, seat) == game.view(moment.state, seat)
            assert fork.visibility == "private"


@pytest.mark.parametrize("key", SECRETIVE)
def test_a_fork_of_a_match_in_play_reveals_nothing_that_its_maker_could_not_know(key: str) -> None:
    """Other hidden values in the source give the same entries of the fork."""
    game = ALL[key]
    found = [moment for moment in moments(game, game.seats[0]) if moment.seats_to_move]
    source, differing = found[-1], 0
    for number, moment in enumerate(found[:: max(1, len(found) // 8)]):
        other = moment.copy()
        other.state = game.imagine(moment.state, 0, Luck(number))
        differing += contents(other.state) != contents(moment.state)
        wanted = plan("", host="ann", match="f")
        one, two = (
            lobby.create(
                game, forks.plan_fork(source, at, wanted, Luck("same")), OTHER_SEED, NOON
            ).events
            for at in (moment, other)
        )
        assert json_codec.encode(one) == json_codec.encode(two)
    assert differing


def test_a_fork_keeps_what_the_game_goes_by_and_says_where_it_comes_from() -> None:
    table = Table("ann bob", options={"rounds": 2}).play(2)
    table.resign("bob")
    fork = open_fork(table.match, table.match)
    assert fork.forked_from == ForkedFrom("m", table.match.version)
    assert fork.options == table.match.options
    assert (fork.unrated, fork.series, fork.status) == ("fork", None, "active")


def test_a_fork_of_a_match_of_a_series_belongs_to_no_series() -> None:
    table = Table("ann bob", game=GAMES["qin"], options={"series": ["bird", "lion"]})
    assert table.match.series
    assert open_fork(table.match, table.match).series is None


def test_by_default_players_keep_their_seats_and_bots_take_the_others() -> None:
    table = Table("ann +crafty bob", substitute="easy").play(1)
    table.resign("ann")
    table.resign("bob")
    start = Table("ann +crafty bob").match
    [first] = start.seats_to_move[:1]
    assert open_fork(table.match, start, "bob").chairs == [
        Chair(bot="easy"),
        Chair(bot="crafty"),
        Chair(player="bob"),
    ]
    spectator = open_fork(table.match, start, "eve").chairs
    assert spectator[first] == Chair(player="eve")
    assert all(chair.bot for seat, chair in enumerate(spectator) if seat != first)
    assert open_fork(table.match, start, seats="bob ann .").chairs == [
        Chair(player="bob"),
        Chair(player="ann"),
        Chair(),
    ]


def test_before_the_end_only_who_sits_there_forks_and_as_their_own_seat() -> None:
    table = Table("ann bob")
    with pytest.raises(Forbidden) as caught:
        open_fork(table.match, table.match, "eve")
    assert caught.value.code == "not_seated"
    table = Table("ann ann bob", game=TOY)
    while table.match.seats_to_move != (2,):
        table.play()
    with pytest.raises(Forbidden) as caught:
        open_fork(table.match, table.match, "ann")
    assert caught.value.code == "not_your_view"


def test_what_was_aborted_keeps_its_secrets_in_forks_too() -> None:
    table = Table("ann bob")
    start = table.match
    table.act(ending.close(table.match, "request"), "system")
    with pytest.raises(Forbidden):
        open_fork(table.match, start, "eve")
    assert open_fork(table.match, start, "ann").visibility == "private"


def test_there_must_be_something_to_decide() -> None:
    table = Table("ann .")
    with pytest.raises(Impossible) as caught:
        open_fork(table.match, table.match)
    assert caught.value.code == "match_not_started"
    over = Table("ann bob").play_out()
    with pytest.raises(GameOver):
        open_fork(over.match, over.match)


def test_a_fork_has_as_many_seats_as_the_match() -> None:
    table = Table("ann bob")
    with pytest.raises(InvalidCommand) as caught:
        open_fork(table.match, table.match, seats="ann bob cid")
    assert caught.value.code == "bad_seats"


@for_each(
    ("visibility", "ended", "wanted", "is_public"),
    [
        ("public", True, "public", True),
        ("public", True, "private", False),
        ("public", False, "public", False),
        ("private", True, "public", False),
    ],
)
def test_a_fork_is_public_only_if_all_may_know_what_it_begins_with(
    visibility: Any, ended: bool, wanted: str, is_public: bool
) -> None:
    table = Table("ann bob", visibility=visibility)
    start = table.match
    if ended:
        table.resign("bob")
    fork = open_fork(table.match, start, visibility=wanted)
    assert (fork.visibility == "public") == is_public


def test_the_first_entry_of_a_fork_has_its_position_and_its_source() -> None:
    table = Table("ann bob")
    start = table.match
    table.resign("bob")
    planned = forks.plan_fork(table.match, start, plan("", host="ann", match="f"), Luck(1))
    created = lobby.create(TOY, planned, OTHER_SEED, NOON).events[0]
    assert isinstance(created, Created)
    assert created.position == json_codec.json_round_trip(TOY.write_position(start.state))
    assert created.forked_from == ForkedFrom("m", start.version)
    assert legal_moves(TOY, start.state, start.seats_to_move[0])
