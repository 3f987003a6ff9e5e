"""For which seat a player acts, and how a request becomes a move."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import Refusal
from service.matches.player_moves import own_seat, parse_move
from tests.match.table import Table, clock


def code(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code


def test_a_player_acts_for_their_only_seat() -> None:
    match = Table("ann bob").match
    assert [own_seat(match, who, None) for who in ("ann", "bob")] == [0, 1]
    assert own_seat(match, "bob", 1) == 1


def test_a_player_with_several_seats_acts_for_the_one_that_decides() -> None:
    table = Table("bob ann ann")
    assert table.match.seats_to_move == (0, 1, 2)
    assert own_seat(table.match, "ann", None) == 1
    table.move(table.legal(1)[0])
    assert own_seat(table.match, "ann", None) == 2
    table.move(table.legal(2)[0])
    assert own_seat(table.match, "ann", None) == 1
    assert own_seat(table.match, "ann", 2) == 2


@pytest.mark.parametrize(
    ("who", "seat", "said"),
    [("cid", None, "not_seated"), ("cid", 0, "not_seated"), ("ann", 1, "not_your_seat")],
)
def test_a_player_cannot_act_for_the_seat_of_another(who: str, seat: int | None, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        own_seat(Table("ann bob").match, who, seat)
    assert code(refused) == said


@pytest.mark.parametrize(
    ("more", "seat"), [({}, None), ({"seat": 1}, None), ({}, 1), ({"seat": 1}, 1)]
)
def test_the_seat_may_stand_in_the_move_beside_it_or_nowhere(
    more: dict[str, Any], seat: int | None
) -> None:
    move = parse_move(Table("ann bob").match, "bob", {"type": "Seal", "card": 1, **more}, seat)
    assert (type(move).__name__, move.seat) == ("Seal", 1)


@pytest.mark.parametrize(
    ("more", "seat", "said"),
    [
        ({"seat": 0}, 1, "seat_mismatch"),
        ({"seat": None}, 1, "seat_mismatch"),
        ({"seat": True}, None, "bad_seat"),
        ({"seat": "1"}, None, "bad_seat"),
        ({"seat": 0}, None, "not_your_seat"),
        ({"more": 1}, None, "bad_move"),
    ],
)
def test_a_seat_that_is_not_clear_is_refused(
    more: dict[str, Any], seat: int | None, said: str
) -> None:
    with pytest.raises(Refusal) as refused:
        parse_move(Table("ann bob").match, "bob", {"type": "Seal", "card": 1, **more}, seat)
    assert code(refused) == said


def test_a_player_cannot_move_while_a_bot_plays_for_them() -> None:
    table = Table("ann bob", clock=clock(bank=60))
    table.move(table.legal(0)[0])
    table.wait(61).time_out()
    match = table.match
    assert match.chairs[1].bot
    with pytest.raises(Refusal) as refused:
        parse_move(match, "bob", {"type": "Seal", "card": 1}, None)
    assert code(refused) == "seat_played_by_bot"
    assert parse_move(match, "ann", {"type": "Seal", "card": 1}, None).seat == 0
