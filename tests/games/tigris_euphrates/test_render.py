"""Pictures and text: what they show, of whatever table."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from domain.engine.dice import Luck
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import (
    BuildMonument,
    CommitTiles,
    DiscardTile,
    Pass,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.render.picture import MARGIN
from domain.games.tigris_euphrates.render.pieces import SIDE
from domain.games.tigris_euphrates.render.sentences import news
from domain.games.tigris_euphrates.state.table import LastConflict
from tests.games.record import record
from tests.games.tigris_euphrates.table import TEMPLES, did, hands, table
from tests.games.tigris_euphrates.test_conflicts import revolt, two_wars, war
from tests.games.tigris_euphrates.test_monuments_and_treasures import COMPLETE, square


def seen(state: Any, seat: int | None = 0) -> tuple[str, str]:
    """The text, and the description in the picture."""
    view = GAME.view(state, seat)
    tree = ElementTree.fromstring(GAME.svg(view))
    (description,) = tree.iter("{http://www.w3.org/2000/svg}desc")
    assert tree.find("{http://www.w3.org/2000/svg}title") is not None
    return GAME.text(view), description.text or ""


def shapes(state: Any) -> set[str]:
    """The names of patterns that a picture uses."""
    picture = GAME.svg(GAME.view(state, None))
    return {name for name in ("river", "face_down") if picture.count(f"url(#{name})") > 0}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_text_is_never_wider_than_80_columns(seats):
    for moment in record(GAME, seats, 0).some(10):
        for seat in (None, 0):
            text, _ = seen(moment.state, seat)
            assert max(map(len, text.splitlines())) <= 80


def test_the_board_is_written_row_by_row():
    state = table(leaders=({"black": "F2"}, {"red": "F4"}), catastrophes=["A1"])
    text, _ = seen(did(state, PlaceCatastrophe(0, "G5")))
    lines = text.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if line[:2].strip().isdigit()}
    assert rows["1"][0] == "X"
    assert rows["2"][1] == "t!"
    assert rows["2"][5] == "K0"
    assert rows["3"][5] == "t$"
    assert rows["4"][5] == "P1"
    assert rows["5"][6] == "*X"
    assert any(line.startswith("Kingdom 1: king of seat 0 on F2") for line in lines)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (PlaceTile(0, "green", "A1"), "placed a market on A1"),
        (PlaceLeader(0, "red", "N6"), "placed the priest on N6"),
        (PlaceLeader(0, "black", "N6"), "moved the king F2 to N6"),
        (WithdrawLeader(0, "black"), "withdrew the king from F2"),
        (PlaceCatastrophe(0, "A1"), "placed a catastrophe tile on A1"),
        (DiscardTile(0, "green"), "swapped tiles"),
        (Pass(0), "passed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_last_action_is_told(move, words):
    state = did(table(hands=hands("gg", ""), leaders=({"black": "F2"}, {})), move)
    assert all(f"seat 0 (archer) {words}." in " ".join(told.split()) for told in seen(state))


def test_conflicts_are_told_with_both_strengths():
    """TE-9.7"""
    text, description = seen(did(revolt("rr", "r"), CommitTiles(0, 2)), 1)
    assert "Attack from F2: 1 + 2" in text
    assert "Defence at F4: 1 + ?" in text
    assert "Seat 1 (bull) to commit red tiles to the defence in a revolt of kings." in description
    assert "at odds" in GAME.svg(GAME.view(revolt(), None))


def test_the_longest_legend_ends_before_the_panel():
    state = revolt("", "", tiles={"A5": "red"}, monuments={"black-red": "H5"}, catastrophes=["A1"])
    picture = ElementTree.fromstring(GAME.svg(GAME.view(state, None)))
    (last,) = (each for each in picture.iter() if each.text == "at odds")
    assert float(last.get("x")) + 7 * len("at odds") < 16 * SIDE + MARGIN


def test_how_a_war_ended_is_told():
    """TE-11.7"""
    state = did(war("gk", ""), CommitTiles(0, 1), CommitTiles(1, 0))
    told = "war of kings, seat 0 (archer) won 3 to 2 against seat 1 (bull), 2 tiles removed."
    assert all(told in " ".join(words.split()) for words in seen(state))


def test_the_total_of_the_winner_comes_first_and_one_tile_is_no_tiles():
    """TE-11.7"""
    end = LastConflict("war", "red", 1, 0, 0, 2, 24, 1, ("A1",))
    view = msgspec.structs.replace(GAME.view(table(), None), last=None, conflict=end)
    told = "Last conflict: war of priests, seat 1 won 24 to 2 against seat 0, 1 tile removed."
    assert list(news(view, GAME.words())) == [told]


def test_kingdoms_are_told_apart_by_numbers_and_the_corners_explained():
    """TE-13.1"""
    view = GAME.view(record(GAME, 4, 1).moments[200].state, None)
    picture = GAME.svg(view)
    numbers = [each.text for each in ElementTree.fromstring(picture).iter() if each.text]
    assert len(view.kingdoms) > 1
    for number in range(1, len(view.kingdoms) + 1):
        assert str(number) in numbers
        assert f"Kingdom {number}:" in GAME.text(view)
    assert "treasure of a corner temple: taken first" in numbers


def test_each_choice_is_told():
    """TE-11.3, TE-12.2"""
    assert "to choose the next war: king or priest." in seen(two_wars())[0]
    offered = did(square(), COMPLETE)
    assert "may build a monument with green on G5." in seen(offered)[0]
    built = did(offered, BuildMonument(0, "green-blue", "G5"))
    assert "Monuments: green-blue on G5" in seen(built)[0]
    assert (shapes(offered), shapes(built)) == ({"river"}, {"river", "face_down"})


def test_the_unification_tile_is_shown():
    """TE-11.1"""
    assert "*m+" in seen(war())[0]


def test_the_end_is_told():
    """TE-15.1"""
    state = table(treasures=TEMPLES[:2], left=1, hands=hands("rrrrrr", "gggggg"))
    text, description = seen(did(state, Pass(0), dice=Luck(0)), None)
    told = "The game is over, the treasures are taken: seat 0 (archer) and seat 1 (bull) win"
    assert told in " ".join(text.split())
    assert told in description


def test_open_scores_are_shown_to_all():
    """TE-16.2"""
    points = [{"red": 3}, {"blue": 4}]
    assert "4 blue" in seen(table(points=points, options={"open_scores": True}), None)[0]
    assert "4 blue" not in seen(table(points=points), 0)[0]
