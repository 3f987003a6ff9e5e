"""Names in the place of seats: short, distinct, escaped, and in letters that can be drawn."""

from __future__ import annotations

import pytest

from domain.games import GAMES
from service.pictures.naming import told_below, with_names
from tests.engine.toy import GAME as TOY
from tests.games.record import record


def named(words: str, *names: str | None, own_fonts: bool = False) -> str:
    return with_names(words, names, own_fonts)


def test_a_name_stands_where_the_seat_was():
    assert named("Seat 0, green; seat 1 (red) wins.", "Ada", "Bo") == "Ada, green; Bo (red) wins."


def test_whoever_is_not_there_stays_a_seat():
    assert named("Seat 0, seat 1, seat 7", None, "Bo") == "Seat 0, Bo, seat 7"


def test_a_name_forges_nothing():
    assert named("seat 0", "<b>&'\"") == "&lt;b&gt;&amp;&#x27;&quot;"
    assert named("seat 0, seat 1", "seat 1", "Bo") == "seat 1, Bo"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("x" * 14, "x" * 14),
        ("x" * 15, "x" * 13 + "\u2026"),
        ("\u5b34" * 7, "\u5b34" * 7),
        ("\u5b34" * 8, "\u5b34" * 6 + "\u2026"),
    ],
)
def test_a_long_name_is_cut(name, shown):
    assert named("seat 0", name) == shown


def test_equal_names_are_told_apart():
    assert named("seat 0, seat 1", "Li Mu", "Li Mu") == "Li Mu (0), Li Mu (1)"


@pytest.mark.parametrize(
    "name", ["J\u00f6rg", "\u0391\u03b8\u03b7\u03bd\u03ac 2", "o'Neill-B", "a_b."]
)
def test_what_our_fonts_have_is_drawn_with_them(name):
    assert named("seat 0", name, own_fonts=True).replace("&#x27;", "'") == name


def test_what_our_fonts_lack_is_left_to_those_of_a_browser():
    assert named("Seat 0", "\u5b34\u653f", own_fonts=True) == "Seat 0"
    assert named("Seat 0", "\u5b34\u653f") == "\u5b34\u653f"


def test_below_a_text_it_says_whose_seat_is_whose():
    assert told_below("board\n", ("Ada", None, "Bo")) == "board\n\nSeat 0 is Ada, seat 2 is Bo.\n"
    assert told_below("board\n", (None,)) == "board\n"


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_every_game_names_all_players_in_its_picture(game):
    seats = game.seats[-1]
    names = [f"Nobody{seat}" for seat in range(seats)]
    state = record(game, seats, 0).end
    for viewer in (None, 0):
        picture = with_names(game.svg(game.view(state, viewer)), names, own_fonts=True)
        drawn = picture.partition("</desc>")[2]
        assert all(name in drawn for name in names)
