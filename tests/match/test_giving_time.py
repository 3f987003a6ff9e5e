"""Giving others more time to think: who can, how much, and that an undo takes none of it back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.errors import Refusal
from domain.engine.play import Seat
from domain.match.decisions.giving_time import MAX_GIFTS, give_time
from domain.match.log import AnyEvent
from domain.match.scheduled_work import due_work
from domain.match.social_events import TimeGiven
from domain.match.state import ClockRule
from tests.match.table import Table, challenge, clock, kinds
from tests.support.for_each import for_each

BANK = clock(bank=300, increment=5)


def give(
    table: Table, player: str, seat: Seat | None = None, seconds: int | None = None
) -> list[AnyEvent]:
    return table.act(give_time(table.match, player, seat, seconds, table.now), player)


def duel(rule: ClockRule | None = BANK, **more: Any) -> Table:
    """Seat 0 may challenge seat 1."""
    return Table("ann bob", position=challenge(), clock=rule, **more)


def test_the_seat_that_thinks_has_more_time_and_its_deadline_is_later() -> None:
    table = duel().wait(40)
    assert give(table, "bob", seconds=60)[0] == TimeGiven("bob", 0, 60_000)
    assert table.bank == [320, 300]
    assert due_work(table.match)["deadline"] == table.now + 320_000


def test_all_others_who_think_get_it_or_the_one_you_name() -> None:
    table = Table("ann bob cid +easy", clock=BANK)  # the toy begins with a choice of all
    give(table, "ann", seconds=10)
    assert table.bank == [300, 310, 310, 300]
    give(table, "ann", seat=2, seconds=10)
    assert table.bank == [300, 310, 320, 300]


@for_each(
    ("rule", "seconds"),
    [
        (clock(per_move=10), 10), (clock(bank=300), 15), (clock(per_move=3_599), 15),
        (clock(bank=3_600), 300), (clock(per_move=86_399), 300),
        (clock(per_move=86_400), 86_400), (clock(bank=900_000), 86_400),
    ],
)  # fmt: skip
def test_how_much_it_is_by_default_follows_from_the_clock(rule: ClockRule, seconds: int) -> None:
    table = duel(rule)
    before = table.bank[0]
    give(table, "bob")
    assert table.bank[0] == before + seconds


@for_each(
    ("table", "player", "seat", "code"),
    [
        (duel(None), "bob", None, "no_time_to_give"),
        (duel(), "ann", None, "no_time_to_give"),
        (duel(), "ann", 0, "no_time_to_give"),
        (duel(), "ann", 1, "no_time_to_give"),
        (duel(), "bob", 2, "no_such_seat"),
        (duel(), "cid", 0, "not_seated"),
        (Table("ann .", clock=BANK), "ann", None, "match_not_started"),
        (Table("ann +easy", position=challenge(), clock=BANK), "ann", 1, "no_time_to_give"),
    ],
)  # fmt: skip
def test_time_cannot_be_given(table: Table, player: str, seat: Seat | None, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        give(table, player, seat)
    assert refusal.value.code == code


def test_at_most_what_a_seat_starts_with_is_given_at_once() -> None:
    table = duel()
    give(table, "bob", seconds=300)
    with pytest.raises(Refusal) as refusal:
        give(table, "bob", seconds=301)
    assert refusal.value.code == "no_time_to_give"
    assert "at most 300 s" in refusal.value.reason


def test_a_player_whose_seat_a_bot_plays_gives_nothing() -> None:
    table = Table("ann bob cid", position=challenge((3, 3, 3)), clock=clock(bank=10))
    table.wait(11).time_out()
    assert table.match.chairs[0].bot
    with pytest.raises(Refusal) as refusal:
        give(table, "ann")
    assert refusal.value.code == "not_seated"


def test_a_match_takes_so_many_gifts() -> None:
    table = duel()
    table.is_compared = False  # each would be compared with all before
    for _ in range(MAX_GIFTS):
        give(table, "bob", seconds=1)
    with pytest.raises(Refusal) as refusal:
        give(table, "bob", seconds=1)
    assert refusal.value.code == "no_time_to_give"
    assert table.bank == [300 + MAX_GIFTS, 300]


def test_with_time_per_move_the_next_decision_has_its_usual_time() -> None:
    table = duel(clock(per_move=30))
    give(table, "bob", seconds=15)
    assert table.bank == [45, 30]
    while 0 in table.match.seats_to_move:
        table.play()
    while 0 not in table.match.seats_to_move:
        table.play()
    assert table.bank[0] == 30


WALK = st.lists(
    st.tuples(st.sampled_from(["move", "undo", "redo", "gift"]), st.integers(0, 20)), max_size=30
)


@settings(max_examples=30)
@given(WALK)
def test_an_undo_or_redo_neither_takes_nor_doubles_what_was_given(walk: Any) -> None:
    """What a seat has is what it began with, and got by its moves and from others, less what it
    has thought.
    """
    table = Table("ann bob", clock=clock(bank=10_000, increment=9), undo="free")
    given_ms = [0, 0]
    for command, seconds in walk:
        table.wait(seconds)
        try:
            if command == "move":
                table.move(table.legal()[0])
            elif command == "gift":
                table.act(give_time(table.match, "ann", None, 7, table.now), "ann")
                given_ms[1] += 7_000
            else:
                (table.undo if command == "undo" else table.redo)("ann")
        except Refusal:
            continue
        if table.match.status != "active":
            return
        clocks = table.match.clocks
        assert clocks
        for seat, player in enumerate(("ann", "bob")):
            moves = sum(point.player == player for point in table.match.line[1:])
            own = 10_000_000 + 9_000 * moves - clocks.thought[seat]
            assert clocks.banks[seat] == own + given_ms[seat]


def test_what_was_given_is_kept_as_an_event_of_its_own() -> None:
    table = duel()
    assert kinds(give(table, "bob")) == ["TimeGiven"]
    assert table.fold().gifts == table.match.gifts
