"""What pictures and text show of any table."""

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
from domain.games.tigris_euphrates.render.sentences import news
from domain.games.tigris_euphrates.state.table import LastConflict
from tests.games.every_panel import worst_faults
from tests.games.record import record
from tests.games.tigris_euphrates.table import TEMPLES, did, hands, table
from tests.games.tigris_euphrates.test_conflicts import revolt, two_wars, war
from tests.games.tigris_euphrates.test_monuments_and_treasures import COMPLETE, square
from tests.support.for_each import for_each


def render_texts(state: Any, seat: int | None = 0) -> tuple[str, str]:
    """The text, and the description in the picture."""
    view = GAME.view(state, seat)
    tree = ElementTree.fromstring(GAME.render_svg(view, GAME.words()))
    (description,) = tree.iter("{http://www.w3.org/2000/svg}desc")
    assert tree.find("{http://www.w3.org/2000/svg}title") is not None
    return GAME.render_text(view, GAME.words()), description.text or ""


def shapes(state: Any) -> set[str]:
    """The names of patterns that a picture uses."""
    picture = GAME.render_svg(GAME.view(state, None), GAME.words())
    return {name for name in ("river", "face_down") if picture.count(f"url(#{name})") > 0}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_text_is_never_wider_than_80_columns(seats):
    for moment in record(GAME, seats, 0).some(10):
        for seat in (None, 0):
            text = GAME.render_text(GAME.view(moment.state, seat), GAME.words())
            assert max(map(len, text.splitlines())) <= 80


def test_the_board_is_written_row_by_row():
    state = table(leaders=({"black": "F2"}, {"red": "F4"}), catastrophes=["A1"])
    text, _ = render_texts(did(state, PlaceCatastrophe(0, "G5")))
    lines = text.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if line[:2].strip().isdigit()}
    assert rows["1"][0] == "X"
    assert rows["2"][1] == "t!"
    assert rows["2"][5] == "K1"
    assert rows["3"][5] == "t$"
    assert rows["4"][5] == "P2"
    assert rows["5"][6] == "*X"
    assert any(line.startswith("Kingdom 1: seat 1's king at F2") for line in lines)


@for_each(
    ("move", "words"),
    [
        (PlaceTile(0, "green", "A1"), "placed a market at A1"),
        (PlaceLeader(0, "red", "N6"), "placed the priest at N6"),
        (PlaceLeader(0, "black", "N6"), "moved the king from F2 to N6"),
        (WithdrawLeader(0, "black"), "withdrew the king from F2"),
        (PlaceCatastrophe(0, "A1"), "placed a catastrophe tile at A1"),
        (DiscardTile(0, "green"), "swapped tiles"),
        (Pass(0), "passed"),
    ],
)
def test_the_last_action_is_described(move, words):
    state = did(table(hands=hands("gg", ""), leaders=({"black": "F2"}, {})), move)
    assert all(
        f"seat 1 (archer) {words}." in " ".join(told.split()) for told in render_texts(state)
    )


def test_conflicts_are_described_with_both_strengths():
    """TE-9.7"""
    state = did(revolt("rr", "r"), CommitTiles(0, 2))
    text, description = render_texts(state, 1)
    assert "Attack from F2: 1 + 2" in text
    assert "Defence at F4: 1 + ?" in text
    own = "Revolt of kings (1 red point): your 1 against 3, ties win. Add red tiles, or none."
    assert own in description
    watched = "Seat 2 (bull) is adding red tiles to the defence, 1 against 3 (revolt of kings)."
    assert all(watched in render_texts(state, seat)[1] for seat in (0, None))
    assert "in conflict" in GAME.render_svg(GAME.view(revolt(), None), GAME.words())


def test_a_player_reads_that_they_have_no_tile_to_commit():
    """Given a defender without red tiles, only they read so when they are asked: TE-9.3"""
    state = did(revolt("rr", ""), CommitTiles(0, 2))
    said = [render_texts(state, seat)[1] for seat in (1, 0, None)]
    assert "ties win. You have no red tiles to add." in said[0]
    assert all("is adding red tiles to the defence" in one for one in said[1:])


def test_the_longest_legend_fits_its_panel():
    state = revolt("", "", tiles={"A5": "red"}, monuments={"black-red": "H5"}, catastrophes=["A1"])
    for language in GAME.resources.texts:
        picture = GAME.render_svg(GAME.view(state, None), GAME.words(language))
        assert worst_faults([picture]) == []


def test_how_a_war_ended_is_described():
    """TE-11.7"""
    state = did(war("gk", ""), CommitTiles(0, 1), CommitTiles(1, 0))
    told = "seat 1 (archer) beat seat 2 (bull) 3 to 2 (war of kings), 2 tiles removed."
    assert all(told in " ".join(words.split()) for words in render_texts(state))


def test_the_total_of_the_winner_comes_first_and_one_tile_is_no_tiles():
    """TE-11.7"""
    end = LastConflict("war", "red", 1, 0, 0, 2, 24, 1, ("A1",))
    view = msgspec.structs.replace(GAME.view(table(), None), last=None, conflict=end)
    told = "Last conflict: seat 2 beat seat 1 24 to 2 (war of priests), 1 tile removed."
    assert list(news(view, GAME.words())) == [told]


def test_kingdoms_have_numbers_and_the_corners_an_explanation():
    """TE-13.1"""
    view = GAME.view(record(GAME, 4, 1).moments[200].state, None)
    picture = GAME.render_svg(view, GAME.words())
    numbers = [each.text for each in ElementTree.fromstring(picture).iter() if each.text]
    assert len(view.kingdoms) > 1
    for number in range(1, len(view.kingdoms) + 1):
        assert str(number) in numbers
        assert f"Kingdom {number}:" in GAME.render_text(view, GAME.words())
    assert "corner temple treasure: taken first" in " ".join(numbers)


def test_each_choice_is_described():
    """TE-11.3, TE-12.2"""
    assert "Choose the next war: king or priest." in render_texts(two_wars())[0]
    watched = "Seat 1 (archer) is choosing the next war: king or priest."
    assert watched in render_texts(two_wars(), None)[0]
    offered = did(square(), COMPLETE)
    assert (
        "You may build a monument on 4 green tiles at G5: its colours score each turn."
        in render_texts(offered)[0]
    )
    watched = "Seat 1 (archer) may build a monument on the green tiles at G5."
    assert watched in render_texts(offered, None)[0]
    built = did(offered, BuildMonument(0, "green-blue", "G5"))
    assert "Monuments: green-blue at G5" in render_texts(built)[0]
    assert (shapes(offered), shapes(built)) == ({"river"}, {"river", "face_down"})


def test_the_unification_tile_is_shown():
    """TE-11.1"""
    assert "*m+" in render_texts(war())[0]


def test_the_end_is_described():
    """TE-15.1"""
    state = table(treasures=TEMPLES[:2], left=1, hands=hands("rrrrrr", "gggggg"))
    text, description = render_texts(did(state, Pass(0), dice=Luck(0)), None)
    told = "Game over: seat 1 (archer) and seat 2 (bull) win (the last treasures were taken)."
    assert told in " ".join(text.split())
    assert told in description


def test_open_scores_are_shown_to_all():
    """TE-16.2"""
    points = [{"red": 3}, {"blue": 4}]
    assert "4 blue" in render_texts(table(points=points, options={"open_scores": True}), None)[0]
    assert "4 blue" not in render_texts(table(points=points), 0)[0]
