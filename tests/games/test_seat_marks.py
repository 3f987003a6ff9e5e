"""The marks of seats: signs and colours of the pictures, which distinguish the seats of a table."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.drawing.seat_marks import COLOURS, numbered_mark
from domain.engine.sentences import seat_number
from domain.games import GAMES
from tests.games.modes import tables
from tests.games.record import record

WORDS = re.compile(r">([^<]+)</text>")
TABLES = [
    pytest.param(one.game, one.seats, id=one.id, marks=pytest.mark.xdist_group(one.id))
    for one in tables(GAMES.values())
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_seats_have_the_signs_and_colours_of_the_picture(game: Any, seats: int) -> None:
    view = game.view(record(game, seats, 0).moments[0].state, None)
    marks = [game.seat_mark(view, seat) for seat in range(seats)]
    assert len({mark.sign for mark in marks}) == seats
    assert len({mark.colour for mark in marks}) == seats
    assert all(mark.colour in mark.sign for mark in marks)
    for seat, mark in enumerate(marks):
        assert set(WORDS.findall(mark.sign)) <= {str(seat_number(seat))}
    picture = game.render_svg(view, game.words())
    for mark in marks if game.seat_mark is not numbered_mark else ():
        shapes = re.findall(r' d="([^"]+)"', mark.sign) or [mark.colour]
        assert shapes[-1] in picture


def test_without_pieces_seats_are_numbered_discs() -> None:
    marks = [numbered_mark(None, seat) for seat in range(len(COLOURS))]
    assert {mark.colour for mark in marks} == set(COLOURS)
    assert [WORDS.findall(mark.sign) for mark in marks] == [[str(n + 1)] for n in range(len(marks))]
