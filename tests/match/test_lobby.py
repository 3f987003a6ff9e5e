"""From an open table to the first move."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.dice import Luck
from domain.engine.errors import BadOptions, BadPosition
from domain.engine.game import new_state
from domain.games.chang_cheng import GAME as CHANG_CHENG
from domain.games.qin import GAME as QIN
from domain.match.decisions import lobby, playing, undo
from domain.match.errors import Forbidden, Impossible, InvalidCommand
from domain.match.events import Created
from domain.match.log import read_events
from domain.match.scheduled_work import due_work
from domain.match.state import ClockRule
from domain.match.visibility import can_see, redact_event
from tests.engine.toy import GAME
from tests.match.table import FROM_ANYWHERE, HOUR, NOON, SEED, Table, challenge, clock, kinds, plan
from tests.support.for_each import for_each


def take(table: Table, player: str, seat: int | None = None) -> list[Any]:
    """Sit down."""
    return table.act(lobby.take_seat(table.match, player, seat, table.now), player)


def test_a_table_with_a_free_seat_waits() -> None:
    table = Table("ann .")
    assert table.entries[0].kind == "Created"
    assert (table.match.status, table.match.seats_to_move, table.match.version) == ("open", (), 1)
    assert table.match.state is None


def test_the_game_starts_by_itself_when_the_last_seat_is_taken() -> None:
    table = Table("ann . .")
    assert kinds(take(table, "bob")) == ["SeatTaken"]
    assert kinds(take(table, "cid")) == ["SeatTaken", "Started"]
    assert (table.match.status, table.match.seats_to_move) == ("active", (0, 1, 2))
    assert [chair.player for chair in table.match.chairs] == ["ann", "bob", "cid"]
    assert table.line == [3]


def test_with_all_seats_filled_the_game_starts_in_the_first_entry() -> None:
    table = Table("ann bob +easy")
    assert [record.kind for record in table.entries] == ["Created"]
    assert (table.match.status, table.line) == ("active", [1])


def test_bots_may_play_among_themselves() -> None:
    assert Table("+easy +crafty", host="ann").match.status == "active"


def test_a_player_takes_the_seat_they_name() -> None:
    table = Table("ann . .")
    take(table, "bob", 2)
    assert [chair.player for chair in table.match.chairs] == ["ann", None, "bob"]


def test_a_player_who_is_invited_sits_on_that_seat_though_another_is_free() -> None:
    table = Table("ann . ?bob")
    take(table, "bob")
    assert table.match.chairs[2].player == "bob"


@pytest.mark.parametrize("seat", [None, 1])
def test_no_other_player_may_take_a_seat_to_which_a_player_is_invited(seat: int | None) -> None:
    table = Table("ann ?bob")
    refuse(table, "cid", seat, Impossible, "seat_taken")
    take(table, "bob", seat)
    assert table.match.status == "active"


def test_a_taken_seat_cannot_be_taken() -> None:
    refuse(Table("ann ."), "bob", 0, Impossible, "seat_taken")


@for_each("seat", [-1, 2, 99])
def test_a_seat_must_be_at_the_table(seat: int) -> None:
    refuse(Table("ann ."), "bob", seat, InvalidCommand, "no_such_seat")


def test_no_player_sits_down_twice() -> None:
    refuse(Table("ann ."), "ann", None, Impossible, "already_seated")


def test_no_player_sits_down_to_a_match_that_has_begun_or_was_aborted() -> None:
    refuse(Table("ann bob"), "cid", None, Impossible, "match_started")
    table = Table("ann .").wait(3600)
    table.act(lobby.abort(table.match, table.now), "system")
    refuse(table, "cid", None, Impossible, "match_aborted")


def refuse(table: Table, player: str, seat: int | None, why: type[Any], code: str) -> None:
    """Taking a seat is refused with this code."""
    with pytest.raises(why) as refused:
        take(table, player, seat)
    assert refused.value.code == code


def test_a_player_who_leaves_frees_the_seat_for_those_who_could_take_it_before() -> None:
    table = Table("ann ?bob .")
    take(table, "bob")
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    assert (table.match.chairs[1].player, table.match.chairs[1].invited) == (None, "bob")
    assert table.match.host == "ann"
    refuse(table, "cid", 1, Impossible, "seat_taken")


def test_no_player_leaves_the_seat_of_another_or_after_the_start() -> None:
    table = Table("ann . .")
    for seat in (1, -3, 9):
        with pytest.raises(Forbidden, match="not your seat"):
            lobby.leave_seat(table.match, "ann", seat)
    with pytest.raises(Impossible, match="has started"):
        lobby.leave_seat(Table("ann bob").match, "ann", 0)


def test_when_the_host_leaves_the_first_of_the_others_is_host() -> None:
    table = Table("ann . . .")
    take(table, "bob", 3)
    take(table, "cid", 1)
    table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    assert table.match.host == "cid"
    with pytest.raises(Forbidden) as refused:
        lobby.start(table.match, "ann", None, table.now)
    assert refused.value.code == "not_the_host"
    table.act(lobby.start(table.match, "cid", None, table.now), "cid")
    assert table.match.status == "active"


def test_a_host_who_holds_another_seat_stays_host() -> None:
    table = Table("ann ann . .")
    take(table, "bob")
    table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    assert table.match.host == "ann"


def test_a_table_that_every_player_left_is_closed() -> None:
    table = Table("ann . +easy")
    events = table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    assert kinds(events) == ["SeatLeft", "Aborted"]
    assert table.match.status == "aborted"


def test_the_host_starts_with_bots_on_the_free_seats() -> None:
    table = Table("ann . ?bob +easy")
    events = table.act(lobby.start(table.match, "ann", "crafty", table.now), "ann")
    assert kinds(events) == ["BotSeated", "BotSeated", "Started"]
    assert [chair.bot for chair in table.match.chairs] == [None, "crafty", "crafty", "easy"]


def test_without_a_level_the_substitute_of_the_match_fills_up() -> None:
    table = Table("ann .", substitute="easy")
    table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert table.match.chairs[1].bot == "easy"


def test_only_levels_of_the_game_are_seated() -> None:
    table = Table("ann .")
    with pytest.raises(InvalidCommand, match="easy, crafty"):
        lobby.start(table.match, "ann", "guru", table.now)
    for seats, more in (("ann +guru", {}), ("ann .", {"substitute": "guru"})):
        with pytest.raises(InvalidCommand) as refused:
            Table(seats, **more)
        assert refused.value.code == "unknown_level"


@pytest.mark.parametrize("seats", ["ann", "ann . . . ."])
def test_the_game_defines_the_number_of_seats(seats: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        Table(seats)
    assert refused.value.code == "bad_seats"


def test_a_table_that_no_player_joined_is_aborted_when_its_time_has_come() -> None:
    table = Table("ann .")
    with pytest.raises(Impossible) as refused:
        lobby.abort(table.match, NOON + HOUR - 1)
    assert refused.value.code == "too_early"
    table.wait(3600).act(lobby.abort(table.match, table.now), "system")
    assert table.match.status == "aborted"
    with pytest.raises(Impossible):
        lobby.abort(Table("ann bob").match, NOON + HOUR)


@pytest.mark.parametrize("seats", ["ann .", ". ."])
def test_the_host_closes_an_open_table_even_without_a_seat_at_it(seats: str) -> None:
    table = Table(seats, host="ann")
    assert kinds(table.act(lobby.close(table.match, "ann"), "ann")) == ["Aborted"]
    assert (table.match.status, table.match.end_reason) == ("aborted", "closed")
    with pytest.raises(Impossible) as refused:
        lobby.close(table.match, "ann")
    assert refused.value.code == "match_aborted"


def test_no_other_player_closes_a_table() -> None:
    for seats in (". bob", "+easy +easy"):
        with pytest.raises(Forbidden) as refused:
            lobby.close(Table(seats, host="ann").match, "bob")
        assert refused.value.code == "not_the_host"


def test_the_host_closes_a_match_in_which_bots_hold_all_seats() -> None:
    table = Table("+easy +crafty", host="ann")
    table.move(table.legal(0)[0])
    assert kinds(table.act(lobby.close(table.match, "ann"), "ann")) == ["Aborted"]
    assert (table.match.status, table.match.end_reason) == ("aborted", "closed")
    assert (table.match.seats_to_move, due_work(table.match)) == ((), {})


@for_each("seats", ["ann bob", "ann +easy", "bob +easy"])
def test_a_match_in_which_people_hold_seats_is_not_closed(seats: str) -> None:
    table = Table(seats, host="ann", clock=clock(bank=100))
    with pytest.raises(Impossible) as refused:
        lobby.close(table.match, "ann")
    assert refused.value.code == "match_has_players"
    table.wait(100).time_out()  # a bot plays for a player who may come back
    with pytest.raises(Impossible):
        lobby.close(table.match, "ann")


def test_a_match_that_is_over_is_not_closed() -> None:
    table = Table("+easy +easy", host="ann", options={"rounds": 1}).play_out()
    with pytest.raises(Impossible) as refused:
        lobby.close(table.match, "ann")
    assert refused.value.code == "match_started"


@pytest.mark.parametrize("status", ["open", "aborted"])
def test_nothing_is_played_before_the_start_or_after_an_abort(status: str) -> None:
    table = Table("ann .").wait(3600)
    if status == "aborted":
        table.act(lobby.abort(table.match, table.now), "system")
    match, now = table.match, table.now
    for command in (
        lambda: playing.resign(match, "ann", now),
        lambda: playing.time_out(match, now),
        lambda: playing.reclaim(match, "ann", now),
        lambda: undo.undo(match, "ann", None, now),
        lambda: undo.redo(match, "ann", now),
        lambda: undo.answer(match, "ann", True, now),
    ):
        with pytest.raises(Impossible) as refused:
            command()
        assert refused.value.code == {"open": "match_not_started"}.get(status, "match_aborted")


@for_each(
    "rule",
    [
        ClockRule(),
        clock(per_move=0),
        clock(per_move=-1),
        clock(bank=0, increment=5),
        clock(per_move=60, bank=60),
        clock(per_move=60, increment=5),
        clock(bank=60, increment=-5),
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(rule: ClockRule) -> None:
    with pytest.raises(InvalidCommand) as refused:
        Table("ann .", clock=rule)
    assert refused.value.code == "bad_clock"


def test_unknown_options_are_refused() -> None:
    with pytest.raises(BadOptions):
        Table("ann .", options={"rounds": 99})


def test_a_match_uses_the_setup_in_its_first_entry_and_not_that_of_the_game_today() -> None:
    table = Table("ann bob", options={"rounds": 1})
    as_it_is, otherwise = (msgspec.msgpack.encode({"bag": [5] * 5 + [n]})[1:] for n in (5, 9))
    altered = table.entries[0].events.replace(as_it_is, otherwise)
    assert altered != table.entries[0].events
    table.entries[0] = msgspec.structs.replace(table.entries[0], events=altered)
    old = table.fold()
    assert sum(old.state.bag) == sum(table.match.state.bag) + 4
    assert old.setup.bag[5] == 9


def test_a_match_may_start_from_a_position_and_does_not_count_then() -> None:
    table = Table("ann bob", position=challenge(), undo="free")
    begun = GAME.write_position(table.match.state)
    assert [*begun["hands"]] == [[1, 2, 3], [1, 2, 3]]
    assert (table.match.seats_to_move, table.match.unrated) == ((0,), "position")
    table.play()
    table.undo("ann")
    assert GAME.write_position(table.match.state) == begun


def test_the_position_a_match_began_with_is_hidden_until_the_end() -> None:
    table = Table("ann bob", position=challenge())
    created = _create()
    for seat in (None, 0, 1):
        shown = redact_event(table.match, created, seat)
        assert isinstance(shown, Created)
        assert shown.position is None
    table.resign("ann")
    assert redact_event(table.match, created, None) == created


def _create() -> Created:
    draft = lobby.create(FROM_ANYWHERE, plan("ann bob", position=challenge()), SEED, NOON)
    [created, *_] = draft.events
    assert isinstance(created, Created)
    return created


@for_each("seats", ["ann .", "ann bob"])
@for_each(
    "change",
    [
        {"agenda": []},
        {"agenda": [{"type": "Reveal", "seats": []}]},
        {"agenda": [{"type": "Challenge", "seats": [2], "left": 1}]},
        {"agenda": [{"type": "Challenge", "seats": [-1], "left": 1}]},
        {"hands": [[1]] * 3},
        {"nonsense": 1},
    ],
)
def test_a_position_that_cannot_be_played_on_is_refused_when_the_table_is_opened(
    seats: str, change: dict[str, Any]
) -> None:
    with pytest.raises(BadPosition):
        Table(seats, position={**challenge(), **change})


def test_why_a_match_does_not_count() -> None:
    assert Table("ann bob").match.unrated is None
    assert Table("ann +easy").match.unrated is None
    assert Table("ann bob", seed_given=True).match.unrated == "seed"
    assert Table("ann ann").match.unrated == "hotseat"
    assert Table("ann bob", undo="free").match.unrated == "free_undo"


def test_a_private_match_is_known_to_those_at_the_table_and_those_invited() -> None:
    table = Table("ann . ?bob", visibility="private")
    assert [can_see(table.match, who) for who in ("ann", "bob", "cid", None)] == [
        True, True, False, False,
    ]  # fmt: skip
    assert can_see(Table("ann .").match, None)


def test_a_position_of_a_running_match_starts_another_one_with_as_many_seats() -> None:
    position = QIN.write_position(Table("ann bob cid", game=QIN).play(4).match.state)
    position = msgspec.json.decode(msgspec.json.encode(position))
    table = Table("ann bob cid", game=QIN, position=position)
    begun = msgspec.json.decode(msgspec.json.encode(QIN.write_position(table.match.state)))
    assert begun == {name: value for name, value in position.items() if name != "last"}
    with pytest.raises(BadPosition):
        Table("ann bob", game=QIN, position=position)


def test_the_first_entry_has_the_board_of_the_position_and_no_tile_on_it() -> None:
    position = {"cells": ["Brr.V.", "...~.."], "owners": [".00...", "......"]}
    created, told = first_entry(Table("ann bob", game=QIN, position=position))
    assert (created.setup["board"], created.setup["rows"]) == ("custom", ["B...V.", "...~.."])
    assert told.position is None
    assert told.setup == created.setup
    lion = QIN.write_position(new_state(QIN, QIN.setup(QIN.options(board="lion"), 2), 2, Luck(0)))
    lion = msgspec.json.decode(msgspec.json.encode(lion))
    created, _ = first_entry(Table("ann bob", game=QIN, position=lion))
    assert created.setup["board"] == "lion"


def test_the_first_entry_has_boards_and_event_cards_of_the_position() -> None:
    position = {"boards": ["b4", "b1"], "events": ["scout"]}
    created, _ = first_entry(Table("ann bob", game=CHANG_CHENG, position=position))
    assert (created.setup["boards"], created.setup["events"]) == (["b4", "b1"], ["scout"])


def first_entry(table: Table) -> tuple[Created, Created]:
    """The first event in full, and as others read it."""
    created, *_ = read_events(table.game, table.entries[0].events)
    told = redact_event(table.match, created, 1)
    assert isinstance(created, Created)
    assert isinstance(told, Created)
    return created, told
