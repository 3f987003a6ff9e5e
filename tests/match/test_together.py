"""Matches in the solo and cooperative modes of each game that has them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.decisions import ending, lobby
from domain.match.errors import Forbidden, Impossible, InvalidCommand
from domain.match.events import Ended, Resigned, TimedOut
from tests.analysis.matches import PEOPLE, Quick
from tests.engine.table import contents
from tests.games.modes import Seating, seatings
from tests.games.seen import AnyGame
from tests.match.table import Table, clock, kinds

MODES = [
    pytest.param(game, mode, id=f"{game.key}-{mode}")
    for game in GAMES.values()
    for mode in game.seats_by_mode
]
TOGETHER = [one for one in seatings(GAMES.values()) if one.together]
ALONE = [one for one in TOGETHER if one.seats == 1]
SEVERAL = [one for one in TOGETHER if one.seats > 1]
FULL = 40
"""Moves of the matches with all checks."""


def begin_match(one: Seating, **more: Any) -> Table:
    """Begin a match between people."""
    people = " ".join(PEOPLE[: one.seats])
    return Table(people, game=one.game, options=one.options, **more)


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_each_mode_says_how_many_can_play(game: AnyGame, mode: str) -> None:
    seats = game.seats_by_mode[mode]
    assert game.seats_by_mode[mode] == game.seats_for(game.options(mode=mode))
    for count in (seats[0] - 1, seats[-1] + 1):
        people = " ".join(["ann"] * count)
        with pytest.raises(
            InvalidCommand, match=rf"mode` {mode} has {seats[0]}.*, not {count}"
        ) as no:
            Table(people, game=game, options={"mode": mode}, host="ann")
        assert no.value.code == "bad_seats"


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_who_plays_together_is_not_rated(one: Seating) -> None:
    table = begin_match(one)
    assert table.match.unrated == "together"
    for player in PEOPLE[: one.seats]:
        table.resign(player)
    table.act(ending.score(table.match), "system")
    assert not ending.is_rateable(table.match)
    with pytest.raises(Impossible):
        ending.rate(table.match, ())


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_a_whole_game_is_won_or_lost_by_all(one: Seating) -> None:
    match = Quick(one.game, " ".join(PEOPLE[: one.seats]), options=one.options)
    match.by_chance(Random(one.id))
    expected = one.game.scoring(match.match.state)
    assert expected.won is not None
    match.score()
    assert match.match.scoring == expected
    assert match.match.end_reason == "rules"
    assert expected.reason in one.game.end_reasons
    assert {line.rank for line in expected.lines} == {1}


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_who_stops_before_the_end_has_not_won(one: Seating) -> None:
    table = begin_match(one).play(3)
    for player in PEOPLE[: one.seats]:
        table.resign(player)
    final = ending.final_scoring(table.match)
    assert [line.rank for line in final.lines] == [1] * one.seats
    assert (final.reason, final.won, final.winners) == ("resignation", False, ())
    assert not any(map(final.share, range(one.seats)))
    assert final.rivals == one.game.scoring(table.match.state).rivals


@pytest.mark.parametrize("one", SEVERAL, ids=str)
def test_the_others_play_on_until_the_last_gives_up(one: Seating) -> None:
    """Even if only one player is left: they play against the game, and not against each other."""
    table = begin_match(one).play(2)
    for seat, player in enumerate(PEOPLE[: one.seats - 1]):
        assert kinds(table.resign(player))[0] == "Resigned"
        assert table.match.status == "active"
        assert table.match.chairs[seat].bot
    [*_, gone, ended] = table.resign(PEOPLE[one.seats - 1])
    assert (gone, ended) == (Resigned(one.seats - 1), Ended("resignation"))


@pytest.mark.parametrize("one", seatings(), ids=str)
def test_ranks_are_among_the_seats(one: Seating) -> None:
    """In each mode of each game, while any number of seats has resigned."""
    table = begin_match(one)
    for gone in range(1, one.seats + 1):
        table.resign(PEOPLE[gone - 1])
        ranks = [line.rank for line in ending.final_scoring(table.match).lines]
        assert min(ranks) == 1
        assert max(ranks) <= one.seats
        if table.match.status != "active":
            break


@pytest.mark.parametrize("one", SEVERAL, ids=str)
def test_who_gave_up_does_not_win_with_the_others(one: Seating) -> None:
    table = begin_match(one)
    table.resign(PEOPLE[0])
    final = ending.final_scoring(table.match)
    assert [line.rank for line in final.lines] == [one.seats, *[1] * (one.seats - 1)]


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_solo_player_takes_back_any_move(one: Seating) -> None:
    """Also a move that revealed something, without consent, unless the match forbids undo."""
    table = begin_match(one).play(30)
    after = contents(table.match.state)
    early = table.line[2]
    table.undo("ann", early)
    assert table.line[-1] == early
    table.redo("ann")
    assert contents(table.match.state) == after
    strict = begin_match(one, undo="off").play()
    with pytest.raises(Forbidden):
        strict.undo("ann")


@pytest.mark.parametrize("one", SEVERAL, ids=str)
def test_those_who_play_together_ask_each_other_to_go_back(one: Seating) -> None:
    table = begin_match(one).play(30)
    early = table.line[2]
    table.undo("ann", early)
    for player in PEOPLE[1 : one.seats]:
        assert table.line[-1] != early
        table.answer(player)
    assert table.line[-1] == early


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_match_of_one_begins_as_soon_as_it_is_opened(one: Seating) -> None:
    """Also for a bot; and with a free seat as soon as a player takes it."""
    assert begin_match(one).match.status == "active"
    level = one.game.levels[0].key
    bots = Table(f"+{level}", game=one.game, options=one.options, host="ann")
    assert bots.match.status == "active"
    table = Table(".", game=one.game, options=one.options, host="ann")
    assert not table.match.seats_to_move
    table.act(lobby.take_seat(table.match, "bob", None, table.now), "bob")
    assert table.match.seats_to_move == (0,)
    assert table.match.chairs[0].player == "bob"


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_bot_goes_on_for_one_whose_time_is_up_until_they_are_back(one: Seating) -> None:
    table = begin_match(one, clock=clock(per_move=60)).play(2).wait(60)
    assert TimedOut(0) in table.time_out()
    assert table.match.chairs[0].bot
    table.play()
    table.reclaim("ann")
    assert [table.who(seat) for seat in table.match.seats_to_move] == ["ann"]


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_match_of_one_is_over_with_their_time_if_it_is_played_so(one: Seating) -> None:
    table = begin_match(one, clock=clock(per_move=60), on_timeout="resign").play(2).wait(60)
    assert kinds(table.time_out()) == ["TimedOut", "Resigned", "Ended"]
    assert ending.final_scoring(table.match).won is False


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_match_of_one_is_the_same_after_each_of_many_moves(one: Seating) -> None:
    """For every way to fold its entries: a `Table` compares them."""
    table = begin_match(one)
    chance = Random(one.id)
    for _ in range(FULL):
        if table.match.status == "active":
            table.move(chance.choice(table.legal()))
    assert table.match.version > FULL
