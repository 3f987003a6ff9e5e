from itertools import cycle
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.dice import Luck, choose
from domain.engine.drawing.panel import name_with_colours
from domain.engine.drawing.terminal_width import column_width
from domain.engine.game import advance, legal_moves, new_state, seats_to_move
from domain.games.qin import GAME
from domain.games.qin.board import Half
from domain.games.qin.render.sentences import areas, last_placement, status, summary
from domain.games.qin.state.setup import Options
from domain.games.qin.state.table import LastPlacement
from domain.games.qin.view import View
from tests.games.picture_boxes import things_of
from tests.support.for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [("bird", 2, "forbidden"), ("lion", 3, "mutual_removal"), ("bird", 4, "mutual_removal")]
LONG = ["wolfgang_ama\u2026", "\u5bec\u6c38\u901a\u5bf6\u9322\u838a", None, "Bo"]
ENGLISH = GAME.words()
LANGUAGES = [GAME.words(language, LONG) for language in GAME.resources.texts]

SMALL = View(
    board="custom",
    cells=("rrR.V", "rr~Vb", "y#yyB"),
    owners=("000.1", "00.0.", "..11."),
    supply=(21, 22),
    allotment=24,
    colours=("green", "white"),
    hands=(("RY", "BB"), None),
    hand_sizes=(2, 1),
    pile=7,
    scores=(3, 2),
    awaiting=(1,),
    seat=0,
    last=LastPlacement(1, "YY", (Half(2, 2, "Y"), Half(2, 3, "Y"))),
    joining_majors="forbidden",
    unseen={"RR": 3, "RY": 0, "YY": 5},
    ended=None,
    winners=(),
)
ENDED = replace(
    SMALL, awaiting=(), ended="last_pagoda", winners=(0,), hands=(("RY", "BB"), ("YB",))
)


def svg(view, words=ENGLISH):
    return GAME.render_svg(view, words)


def text(view, words=ENGLISH):
    return GAME.render_text(view, words)


def play_moves(board: str, seats: int, joining: str, moves: int) -> Any:
    """The table after this many moves, or at its end."""
    dice = Luck(f"{board} {seats}")
    setup = GAME.setup(Options(board=board, joining_majors=joining), seats)
    state = new_state(GAME, setup, seats, dice)
    while seats_to_move(state) and moves:
        advance(GAME, state, choose(dice, legal_moves(GAME, state, seats_to_move(state)[0])), dice)
        moves -= 1
    return state


def words(picture: str) -> list[str]:
    """All words of a picture that a reader sees, and its title and description."""
    return ["".join(part.itertext()) for part in ElementTree.fromstring(picture)]


def labels(picture: str) -> list[str]:
    return [part.text or "" for part in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("moves", [0, 15, 1000])
def test_every_moment_makes_a_small_picture_and_narrow_lines(table, moves):
    state = play_moves(*table, moves)
    for seat, told in zip((None, *range(table[1])), cycle(LANGUAGES)):
        view = GAME.view(state, seat)
        picture = svg(view, told)
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
        assert len(picture.encode()) < 120_000
        assert max(map(column_width, text(view, told).splitlines())) <= 80


def test_the_same_view_gives_the_same_picture_and_text():
    assert svg(SMALL) == svg(replace(SMALL))
    assert text(SMALL) == text(replace(SMALL))


@for_each("rows", [1, 4, 13])
def test_a_board_may_have_any_size(rows):
    view = replace(SMALL, cells=(".B.",) * rows, owners=("...",) * rows, last=None)
    assert {"a", "c", "1", str(rows)} <= set(labels(svg(view)))
    assert f"\n{rows:2}  .  B  .\n" in text(view)


def test_the_description_shows_the_position():
    assert words(svg(SMALL))[:2] == [
        "Qin",
        "Custom board, 2 players. Seat 2 (white) is placing a tile (22 pagodas left). "
        "Seat 1 (green) has 21 of 24 pagodas left. Seat 2 (white) has 22 of 24 pagodas left. "
        "Last placement: seat 2 (white), yellow at c3 and yellow at d3. "
        "7 tiles left in the pile.",
    ]


def test_the_text_shows_board_players_and_pile():
    assert text(SMALL).splitlines() == [
        "Qin, Custom board",
        "Seat 2 (white) is placing a tile (22 pagodas left).",
        "",
        "    a  b  c  d  e",
        " 1  r1 r1 R1 .  V2",
        " 2  r1 r1 ~  V1 b",
        " 3  y    *y2*y2 B",
        "",
        ". grassland   V village   ~ water   R Y B start spaces   r y b covered spaces",
        "The digit after it is the owner's seat; x marks ruins.",
        "A star marks the last tile.",
        "",
        "Last placement: seat 2 (white), yellow at c3 and yellow at d3.",
        "",
        "Seat 1 (green)   21 of 24 pagodas left   hand: RY BB (you)",
        "Seat 2 (white)   22 of 24 pagodas left   1 hidden tile",
        "",
        "Pile: 7",
        "Not seen yet: 3 RR, 0 RY, 5 YY",
    ]


def test_the_text_is_in_chinese_with_names_in_their_columns():
    lines = text(SMALL, GAME.words("zh-Hant", ["Ada", "\u5bec\u6c38"])).splitlines()
    assert lines[:2] == ["秦，自訂遊戲地圖", "寬永（白色）正在放置棋子（剩餘22座寶塔）。"]
    assert lines[-5:-3] == [
        "Ada（綠色）    剩餘21/24座寶塔   手中：紅黃 藍藍（你）",
        "寬永（白色）   剩餘22/24座寶塔   1枚未公開的棋子",
    ]


def test_an_area_is_what_hangs_together_in_colour_and_owner():
    found = [(area.owner, len(area.spaces), area.major) for area in areas(SMALL)]
    assert found == [("0", 5, True), ("1", 2, False)]


def test_each_pagoda_bears_the_number_of_its_seat():
    board = labels(svg(SMALL))
    seats = board[board.index("B") + 1 : board.index("Qin")]
    assert seats == ["", "1", "2", "2", "1"]  # a double pagoda, one province, two villages


def test_the_end_names_the_winner():
    assert "won" not in text(SMALL)
    assert "Game over: seat 1 (green) wins (the last pagoda was placed)." in text(ENDED)
    assert {"Game over: the last pagoda was placed", "you, winner"} <= set(labels(svg(ENDED)))


def test_a_shared_victory_names_all_winners():
    shared = replace(ENDED, ended="tiles_exhausted", winners=(0, 1))
    assert "Game over: seat 1 (green) and seat 2 (white) win (all tiles were placed)." in " ".join(
        text(shared).split()
    )
    assert labels(svg(shared)).count("winner") == 1


def test_a_ruined_area_is_hatched_and_has_no_pagoda():
    ruined = replace(SMALL, owners=("xxx.1", "xx.0.", "..11."), joining_majors="mutual_removal")
    assert 'fill="url(#ruin)"' in svg(ruined)
    assert 'fill="url(#ruin)"' not in svg(SMALL)
    assert {"ruined", "Custom board, joining majors"} <= set(labels(svg(ruined)))
    assert " 1  rx rx Rx .  V2" in text(ruined)


def test_the_last_tile_is_framed():
    without = replace(SMALL, last=None)
    assert svg(SMALL).count("stroke-dasharray") == 2  # on the board and in the legend
    assert "stroke-dasharray" not in svg(without)
    assert "*" not in text(without)
    assert "No tile placed yet" in labels(svg(without))


def test_a_hidden_hand_shows_only_its_size():
    two = replace(SMALL, hand_sizes=(2, 2))
    assert svg(two).count('fill="#b8a68a"') == svg(SMALL).count('fill="#b8a68a"') + 1
    assert "2 hidden tiles" in text(two)


@pytest.mark.parametrize("moves", [0, 10, 20])
def test_pictures_do_not_show_what_a_seat_cannot_know(moves):
    """QIN-12.1"""
    state = play_moves("lion", 3, "forbidden", moves)
    for seat in range(3):
        real = GAME.view(state, seat)
        imagined = GAME.view(GAME.imagine(state, seat, Luck(moves)), seat)
        assert svg(imagined) == svg(real)
        assert text(imagined) == text(real)


def test_a_name_is_escaped_and_left_as_it_is():
    named = GAME.words("en", ["<script>&", "ada"])
    assert {"<script>&, green", "ada, white"} <= set(labels(svg(SMALL, named)))


def test_a_table_without_a_turn_says_so():
    assert "Nothing to decide." in text(replace(SMALL, awaiting=()))


def test_the_card_of_a_seat_says_what_is_special_about_it():
    """The same words as in all games."""
    cards = [label for label in labels(svg(replace(SMALL, awaiting=(0,)))) if "to move" in label]
    assert cards == ["you, to move"]
    assert labels(svg(SMALL)).count("to move") == 1


@for_each(
    ("reason", "winners", "sentence"),
    [
        ("last_pagoda", (1,), "seat 2 (white) wins (the last pagoda was placed)."),
        ("tiles_exhausted", (0,), "seat 1 (green) wins (all tiles were placed)."),
        (
            "blocked",
            (0, 1),
            "seat 1 (green) and seat 2 (white) win (no tile fits on the board).",
        ),
    ],
)
def test_each_way_to_end_has_its_sentence(reason, winners, sentence):
    """QIN-10.1, QIN-10.2"""
    ended = replace(ENDED, ended=reason, winners=winners)
    assert status(ended, ENGLISH) == f"Game over: {sentence}"
    assert sentence in summary(ended, ENGLISH)


def test_seats_are_named_by_number_and_colour():
    named = name_with_colours(SMALL.colours, GAME.words("en", [None, "Bo"]))
    assert [named.person(seat) for seat in range(2)] == ["seat 1 (green)", "Bo (white)"]


def test_before_the_first_tile_no_placement_is_described():
    assert last_placement(replace(SMALL, last=None), ENGLISH) == ""
    assert "Last placement" not in summary(replace(SMALL, last=None), ENGLISH)


def test_areas_of_one_colour_and_owner_that_do_not_touch_are_apart():
    """QIN-2.3, QIN-2.5: corners do not join them."""
    view = replace(SMALL, cells=("rr...", "..rr.", "rr..."), owners=("00...", "..00.", "11..."))
    assert [area.spaces for area in areas(view)] == [
        ((0, 0), (0, 1)),
        ((1, 2), (1, 3)),
        ((2, 0), (2, 1)),
    ]


@for_each(
    ("cells", "middle"),
    [
        (("rrr", "...", "..."), (0, 1)),
        (("rr.", "r..", "..."), (0, 0)),
        (("rrr", "r.r", "rrr"), (0, 1)),
    ],
)
def test_a_pagoda_stands_on_the_space_nearest_to_the_middle(cells, middle):
    """QIN-2.7: which means nothing, but it must be one of its spaces."""
    owners = tuple(row.replace("r", "0") for row in cells)
    (area,) = areas(replace(SMALL, cells=cells, owners=owners))
    assert area.middle == middle


@for_each(("spaces", "major"), [(2, False), (4, False), (5, True), (9, True)])
def test_a_province_of_five_spaces_is_drawn_as_major(spaces, major):
    """QIN-2.7"""
    (area,) = areas(replace(SMALL, cells=("r" * spaces,), owners=("0" * spaces,)))
    assert area.major == major


@for_each("table", TABLES)
@for_each("moves", [15, 40, 1000])
def test_a_pagoda_hides_no_start_sign_if_its_province_has_another_space(table, moves):
    view = GAME.view(play_moves(*table, moves), None)
    for area in areas(view):
        if not area.starts.issuperset(area.spaces):
            assert area.middle not in area.starts


def test_a_ruin_lets_its_colour_be_seen():
    ruin = next(
        part for part in ElementTree.fromstring(svg(SMALL)).iter() if part.get("id") == "ruin"
    )
    [shade] = ruin.iter(f"{SVG}rect")
    assert float(shade.get("fill-opacity", 1)) < 0.5


def test_only_what_is_on_the_board_is_explained():
    assert "~ water" in text(SMALL)
    dry = replace(SMALL, cells=tuple(row.replace("~", ".") for row in SMALL.cells))
    assert "~ water" not in text(dry)


@for_each("seats", [2, 3, 4])
def test_the_tiles_in_a_hand_are_as_large_as_a_finger(seats):
    picture = svg(GAME.view(play_moves("lion", seats, "forbidden", 10), 0))
    tiles = [one for one in things_of(ElementTree.fromstring(picture)) if "tile:" in one.name]
    assert len(tiles) == 3
    assert min(tile.box.narrow for tile in tiles) >= 40
