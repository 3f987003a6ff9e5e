"""Names of players in pictures: short, distinct, and in letters that the fonts have."""

from __future__ import annotations

import pytest

from domain.engine.drawing.svg import document, text
from domain.games import GAMES
from service.drawing.pictures.inputs import board_drawing, draw_picture
from service.drawing.pictures.player_names import append_players, fit_names
from tests.engine.toy import GAME as TOY
from tests.games.record import record


def fit(*names: str | None, own_fonts: bool = False) -> list[str | None]:
    return [*fit_names(names, own_fonts)]


def test_an_empty_seat_has_no_name():
    assert fit(None, "Bo") == [None, "Bo"]


def test_a_name_forges_nothing():
    assert "&lt;b&gt;&amp;&#x27;&quot;" in document(9, 9, "", "", text(0, 0, "<b>&'\"", 9))


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("x" * 14, "x" * 14),
        ("x" * 15, "x" * 13 + "\u2026"),
        ("\u5b34" * 7, "\u5b34" * 7),
        ("\u5b34" * 8, "\u5b34" * 6 + "\u2026"),
        ("Fan Xiliang (2)", "Fan Xiliang (2)"),
        ("x" * 15 + " (2)", "x" * 13 + "\u2026 (2)"),
        ("\u5b34" * 8 + "\uff082\uff09", "\u5b34" * 6 + "\u2026\uff082\uff09"),
    ],
)
def test_a_long_name_is_cut(name, cut):
    assert fit(name) == [cut]


def test_equal_names_are_distinguished():
    assert fit("Li Mu", "Li Mu") == ["Li Mu (1)", "Li Mu (2)"]


@pytest.mark.parametrize(
    "name", ["J\u00f6rg", "\u0391\u03b8\u03b7\u03bd\u03ac 2", "o'Neill-B", "a_b."]
)
def test_what_our_fonts_have_is_drawn_with_them(name):
    assert fit(name, own_fonts=True) == [name]


def test_what_our_fonts_lack_is_left_to_those_of_a_browser():
    assert fit("\u5b34\u653f", own_fonts=True) == [None]
    assert fit("\u5b34\u653f") == ["\u5b34\u653f"]


def test_below_a_text_it_says_whose_seat_is_whose():
    def below(*names: str | None, language: str = "en") -> str:
        return append_players("board\n", names, TOY.words(language))

    assert below("Ada", None, "Bo") == "board\n\nSeat 1: Ada\nSeat 3: Bo\n"
    assert below("Ada", language="zh-Hant") == "board\n\n\u7b2c1\u5ea7\u4f4d\uff1aAda\n"
    assert below(None) == "board\n"


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_every_game_names_all_players_in_its_picture_and_calls_none_a_seat(game):
    seats = game.seats[-1]
    names = tuple(f"Nobody{seat}" for seat in range(seats))
    state = record(game, seats, 0).end
    for viewer in (None, 0):
        picture = draw_picture(
            board_drawing(game, game.view(state, viewer), "svg", names=names)
        ).decode()
        assert all(name in picture.partition("</desc>")[2] for name in names)
        assert "seat 1" not in picture.casefold()
