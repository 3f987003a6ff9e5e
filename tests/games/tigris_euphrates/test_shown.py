"""What texts and pictures show of each thing on the table, and of each seat."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from domain.engine.drawing.terminal_width import MAX_COLUMNS, column_width
from domain.engine.sentences import LANGUAGES
from domain.games.tigris_euphrates import GAME, moves
from domain.games.tigris_euphrates.render.pieces import AT_ODDS
from domain.games.tigris_euphrates.render.sentences import summary
from tests.games.record import record
from tests.games.tigris_euphrates.plainly import Table
from tests.games.tigris_euphrates.table import TEMPLES, did, hands, table
from tests.games.tigris_euphrates.test_answers import (
    choose_treasure,
    choose_war,
    offer_monument,
    reinforce,
    swap,
    turn,
)
from tests.support.for_each import for_each

SIGNS = {"black": "s", "red": "t", "green": "m", "blue": "f", "catastrophe": "X", "face down": "#"}
LEADERS = {"black": "K", "red": "P", "green": "T", "blue": "F"}


def text(state: Any, seat: int | None = 0) -> str:
    """The text, with broken lines joined."""
    told: str = GAME.render_text(GAME.view(state, seat), GAME.words())
    return told


def render_line(state: Any, seat: int | None = 0) -> str:
    """The text in one line."""
    return " ".join(text(state, seat).split())


def picture(state: Any, seat: int | None = 0) -> list[str]:
    """All words in a picture, without its description."""
    tree = ElementTree.fromstring(GAME.render_svg(GAME.view(state, seat), GAME.words()))
    return [each.text or "" for each in tree.iter("{http://www.w3.org/2000/svg}text")]


def panel_of(view: Any, name: str) -> ElementTree.Element:
    """The panel of a picture that has this name."""
    tree = ElementTree.fromstring(GAME.render_svg(view, GAME.words()))
    return next(part for part in tree if part.get("data-panel") == name)


def cells(state: Any) -> dict[str, str]:
    """The signs of all cells in the text of the board."""
    lines = text(state).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    A "))
    rows = lines[start + 1 : start + 12]
    return {
        f"{chr(65 + col)}{row}": line[2 + 1 + 4 * col :].ljust(4)[:4].strip()
        for row, line in enumerate(rows, 1)
        for col in range(16)
    }


def sign(laid: Table, name: str, last: Any) -> str:
    """The expected sign of a cell."""
    what = laid.on.get(name)
    word = SIGNS.get(what) if isinstance(what, str) else None
    if what is None:
        word = "~" if laid.river(name) else "."
    elif word is None:
        word = f"{LEADERS[what.color]}{what.seat + 1}"
    if name in laid.treasures:
        corner = laid.rows[int(name[1:]) - 1][ord(name[0]) - 65] == "C"
        word += "!" if corner else "$"
    return f"*{word}" if last and name == last[-1] else word


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_each_cell_has_its_sign(seats):
    """TE-1.1, TE-1.7"""
    for moment in record(GAME, seats, 6).some(15):
        state = moment.state
        laid, shown = Table(state), cells(state)
        last = state.last.cells if state.last else ()
        marked = {state.united.at} if state.united else set()
        for name in set(laid.names) - marked:
            assert shown[name] == sign(laid, name, last), name


ASKED = {
    "a turn": (
        turn,
        "Seat 1 (archer) has 2 actions left.",
        "Your turn, 2 actions left: place a tile (1 point to its leader), a leader, a catastrophe,"
        " or swap tiles.",
    ),
    "a swap": (
        swap,
        "Seat 1 (archer) is swapping tiles, 1 discarded so far.",
        "Discard another tile, or draw 1 and end this action.",
    ),
    "a conflict": (
        reinforce,
        "Seat 1 (archer) is adding red tiles to the attack, 1 against 1 (revolt of kings).",
        "Revolt of kings (1 red point): your 1 against 1, ties lose. Add red tiles, or none.",
    ),
    "wars": (
        choose_war,
        "Seat 1 (archer) is choosing the next war: king or priest.",
        "Choose the next war: king or priest. The winner scores 1 point, and 1 per tile removed.",
    ),
    "a monument": (
        offer_monument,
        "Seat 1 (archer) may build a monument on the green tiles at G5.",
        "You may build a monument on 4 green tiles at G5: its colours score each turn.",
    ),
    "treasures": (
        choose_treasure,
        "Seat 1 (archer) is choosing which treasure to leave: F3 or I7.",
        "Your trader takes all treasures but one (1 point of any colour each): leave F3 or I7.",
    ),
}


@for_each(("setting", "sentence", "to_seat"), ASKED.values())
def test_what_is_asked_is_described_in_a_sentence(setting, sentence, to_seat):
    """TE-3.1, TE-8.1, TE-9.3, TE-11.3, TE-12.2, TE-13.2"""
    state = setting()
    assert sentence in render_line(state, 1)
    assert sentence in summary(GAME.view(state, None), GAME.words())
    assert to_seat in render_line(state, 0)


def test_the_last_of_two_actions_is_described_as_one():
    """TE-3.1"""
    assert "Your turn, 1 action left: " in render_line(table(left=1))


def test_a_seat_sees_its_hand_and_how_many_tiles_the_others_hold():
    """TE-16.1, TE-16.2"""
    state = table(hands=hands("kr", "g"))
    assert "hand: black red" in render_line(state, 0)
    assert "hand: 1 hidden tile off" in render_line(state, 0)
    assert "hand: 2 hidden tiles off" in render_line(state, 1)
    assert "hand: green" not in render_line(state, None)
    assert render_line(table(), 0).count("hand: empty") == 1


def test_points_that_are_hidden_are_not_in_the_picture():
    """TE-16.2"""
    state = table(points=[{"red": 3}, {"blue": 25}])
    for seat, scores in ((0, 1), (1, 1), (None, 0)):
        shown = picture(state, seat)
        assert shown.count("score 0") == scores
        assert ("25" in shown) == (seat == 1)


def test_the_card_of_a_seat_says_who_they_are_and_what_is_up():
    """TE-1.10"""
    notes = picture(table(seats=3, active=1), 1)
    assert "you, to move" in notes
    assert {"Seat 1, archer", "Seat 2, bull", "Seat 3, pot"} <= set(notes)
    assert "to move" in picture(table(seats=3, active=1), 0)


def test_while_others_decide_the_active_player_is_still_described():
    """TE-9.3"""
    state = did(reinforce(), moves.CommitTiles(0, 0))
    assert {"active", "to move"} <= set(picture(state, None))


def end_game() -> Any:
    """Seat 1 has won because the treasures are taken."""
    points = [{}, dict.fromkeys(("black", "red", "green", "blue"), 1)]
    state = table(treasures=TEMPLES[:2], left=1, hands=hands("rrrrrr", "gggggg"), points=points)
    return did(state, moves.Pass(0))


def test_the_winner_is_described():
    """TE-15.4"""
    assert "Game over: seat 2 (bull) wins (the last treasures were taken)." in render_line(
        end_game(), None
    )
    assert "winner" in picture(end_game(), None)
    assert "Game over: the last treasures were taken" in picture(end_game(), None)
    assert "Seat 2 (bull) (winner)" in render_line(end_game(), None)


def test_strengths_are_in_the_headline_of_a_conflict():
    """TE-9.7"""
    headline = picture(did(reinforce(), moves.CommitTiles(0, 2)), 1)
    assert "Revolt of kings: 1 + 2 against 1 + ?" in headline
    assert "Add red tiles, or none" in headline
    assert "Seat 2 is adding red tiles" in picture(did(reinforce(), moves.CommitTiles(0, 2)), 0)


@for_each("seat", [0, 1, None])
def test_the_strengths_of_a_conflict_stand_beside_the_viewers_panel(seat):
    """TE-9.7"""
    view = GAME.view(did(reinforce(), moves.CommitTiles(0, 2)), seat)
    panels = GAME.draw(view, GAME.words()).panels
    own = ["map", "head"] if seat is None else ["map", "head", "own"]
    assert [panel.name for panel in panels][: len(own) + 1] == [*own, "conflict"]
    words = [part.text for part in panel_of(view, "conflict").iter() if part.text]
    assert words == [
        "Revolt of kings",
        "K",
        "1 + 2",
        "attack from F2",
        "K",
        "1 + ?",
        "defence at F4",
    ]


def test_a_ring_goes_around_each_leader_in_conflict():
    """TE-9.7"""
    without, ringed = (
        ElementTree.tostring(panel_of(GAME.view(state, 0), "map"), encoding="unicode")
        for state in (turn(), reinforce())
    )
    assert (without.count(AT_ODDS), ringed.count(AT_ODDS)) == (0, 2)
    assert ringed.count(f'<ns0:circle r="27" fill="{AT_ODDS}"') == 2


def test_kingdoms_are_listed_with_leaders_tiles_and_treasures():
    """TE-1.8"""
    state = table(tiles={"G3": "red", "G4": "green"}, leaders=({"black": "F2"}, {"red": "F4"}))
    line = "Kingdom 1: seat 1's king at F2, seat 2's priest at F4; 2 temples, 1 market, 1 treasure"
    assert line in render_line(state)


def test_monuments_are_listed_and_what_is_left_to_build():
    """TE-1.5"""
    state = table(monuments={"red-blue": "G5"})
    assert "Monuments: red-blue at G5" in text(state)
    free = "black-red, black-green, black-blue, red-green, green-blue"
    assert f"Not yet built: {free}" in render_line(state)
    assert "Monuments: none built" in text(table())


def test_what_is_not_on_the_board_is_described():
    """TE-2.3"""
    state = table(leaders=({"black": "F2", "red": "F4"}, {}), catastrophes_left=[1, 2])
    assert "off the board: trader, farmer; catastrophe tiles: 1" in render_line(state)
    assert "off the board: king, priest, trader, farmer; catastrophe tiles: 2" in render_line(state)


def test_the_bag_and_what_no_player_has_seen_are_counted():
    """TE-16.1, TE-16.3"""
    state = table(hands=hands("kkk", "gg"))
    assert "Bag: 138 tiles. Treasures on the board: 10." in text(state)
    assert "Not seen yet: 27 black, 47 red, 30 green, 36 blue" in text(state)
    assert "Not seen yet: 30 black, 47 red, 28 green, 36 blue" in text(state, 1)
    assert "138 tiles in the bag, 10 treasures on the board" in picture(state)


def test_the_legend_explains_what_the_board_shows():
    plain = set(picture(table()))
    assert {"kingdom", "river", "treasure", "settlement, king"} <= plain
    assert not {"face down", "catastrophe", "last action", "in conflict"} & plain
    more = table(monuments={"red-blue": "G5"}, catastrophes=["A1"])
    assert {"face down", "catastrophe"} <= set(picture(more))
    assert "last action" in picture(did(table(), moves.PlaceLeader(0, "red", "F2")))
    assert "in conflict" in picture(reinforce())


def test_the_news_show_how_the_last_conflict_ended():
    """TE-9.4"""
    state = did(reinforce(), moves.CommitTiles(0, 2), moves.CommitTiles(1, 0))
    shown = " ".join(picture(state))
    assert "Last action: seat 1 placed the king at F2." in shown
    assert "Last conflict: seat 1 beat seat 2 3 to 1 (revolt of kings)." in shown


def list_touchable(state: Any, seat: int | None, x: int, y: int) -> list[str]:
    """The names of the touches in the cell whose corner is at x and y, the topmost last."""
    tree = ElementTree.fromstring(GAME.render_svg(GAME.view(state, seat), GAME.words()))
    cells = (each for each in tree.iter() if each.get("data-at") and each.get("width") == "50")
    return [c.get("data-at", "") for c in cells if (c.get("x"), c.get("y")) == (str(x), str(y))]


def test_only_its_owner_touches_a_leader_where_it_stands():
    """TE-5.1"""
    state = table(leaders=({"black": "F2"}, {"red": "F4"}))
    assert list_touchable(state, 0, 250, 50) == ["cell:F2", "leader:king"]
    assert list_touchable(state, 1, 250, 50) == list_touchable(state, None, 250, 50) == ["cell:F2"]
    assert list_touchable(state, 0, 250, 150) == ["cell:F4"]


@for_each("language", LANGUAGES)
@for_each("setting", [turn, swap, reinforce, choose_war, end_game])
def test_no_language_needs_more_than_80_columns(language, setting):
    view = GAME.view(setting(), 0)
    lines = GAME.render_text(view, GAME.words(language)).splitlines()
    assert max(map(column_width, lines)) <= MAX_COLUMNS


@for_each("language", LANGUAGES)
def test_cells_stay_below_the_letters_of_their_columns_in_each_language(language):
    """TE-1.1"""
    view = GAME.view(turn(), 0)
    lines = GAME.render_text(view, GAME.words(language)).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    A "))
    ends = {
        column_width(line[:-1] + "x") for line in lines[start + 1 : start + 12] if line[-1] in ".~"
    }
    assert ends == {2 + 1 + 15 * 4 + 2}
