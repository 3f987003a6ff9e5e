"""The table as a picture and as text."""

from __future__ import annotations

import re
from math import dist
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.game import awaited
from domain.engine.sentences import LANGUAGES
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS, MARKERS, Map
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    EndTurn,
    LiftPiece,
    OpenOffice,
    PlacePiece,
    UseMarker,
)
from domain.games.hansa_teutonica.render.room import (
    BONUS,
    MARKER,
    PLATE,
    WIDTH,
    Labels,
    beside,
    height,
    marker_spots,
    on_map,
    plate_width,
)
from domain.games.hansa_teutonica.render.room import (
    labels as labels_of,
)
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.state.steps import Relocate
from domain.games.hansa_teutonica.state.table import Deed, Last
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import after, player, table

SVG = "{http://www.w3.org/2000/svg}"
KAMPEN = "kampen--osnabruck"
TWO = ("paderborn", "kampen")


def labels(picture: str) -> list[str]:
    """All words that a reader sees."""
    return [part.text or "" for part in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def shown(state: Any, seat: int | None = 0) -> Any:
    return GAME.view(state, seat)


def scene(view: Any, language: str = "en") -> Scene:
    return Scene(view, GAME.words(language))


def labelled(chart: Map, language: str) -> Labels:
    """What stands above the cities of a map."""
    return labels_of(scene(replace(shown(some_table()), map=chart), language))


def some_table() -> Any:
    one = player("tttt", levels={"privilege": 2}, ready={"remove_three": 1}, prestige=4)
    return table(
        one,
        player("t", used={"swap_offices": 1}),
        player(),
        routes={KAMPEN: ["0t", "0m"], "bremen--hannover": ["1t", "2t", None]},
        cities={"osnabruck": {"offices": ["1t", None, None], "extra": ["2t"]}},
        markers={KAMPEN: "plus_3_actions", "bremen--minden": "extra_office"},
        pile={"swap_offices": 1},
    )


def test_the_picture_has_a_title_and_says_in_words_what_it_shows():
    root = ElementTree.fromstring(GAME.svg(shown(some_table())))
    assert root[0].text == "Hansa Teutonica"
    assert root[1].text == scene(shown(some_table())).summary
    assert "Seat 0 (red) to act, 2 actions left." in str(root[1].text)


def test_all_cities_are_named_and_those_that_improve_say_what():
    words = labels(GAME.svg(shown(some_table())))
    for city in some_table().setup.map.cities:
        assert (f"{city.name}: {city.ability}" if city.ability else city.name) in words


def test_markers_and_those_of_the_players_are_named():
    words = labels(GAME.svg(shown(some_table())))
    assert {"+3", "Extra", "Take 3", "T"} <= set(words)
    assert "network 1, 1 used" in words


def test_the_text_is_never_wider_than_80_columns():
    states = [some_table(), after(some_table(), OpenOffice(0, KAMPEN, "osnabruck"))]
    for state in (*states, table(player(), player(), pawn="P15")):
        lines = GAME.text(shown(state)).splitlines()
        assert max(map(len, lines)) <= 80


def test_the_text_shows_offices_posts_and_stars_for_what_was_done_last():
    then = GAME.text(shown(after(some_table(), OpenOffice(0, KAMPEN, "osnabruck"))))
    row = next(line for line in then.splitlines() if "Osnabrück " in line and "|" in line)
    assert row.split() == ["*Osnabrück", "2t", "|", "1t", "0t", "B#", "seat", "0"]
    assert "Kampen-Osnabrück      *. *." in then
    assert "Last: Seat 0 (red) established Kampen-Osnabrück and opened an office in" in then
    assert "plus 3 actions (new)" in then


def test_each_task_is_told():
    state = some_table()
    pushed = after(state, DisplacePiece(0, "trader", ("bremen--hannover", 0), 1, 0))
    told = [
        GAME.text(shown(after(state, UseMarker(0, "remove_three")))),
        GAME.text(shown(after(state, LiftPiece(0, (KAMPEN, 0))))),
        GAME.text(shown(pushed)),
        GAME.text(shown(after(state, EndTurn(0)))),
    ]
    assert "Seat 0 (red) to take pieces from posts, 3 at most." in told[0]
    assert "Seat 0 (red) to move pieces, a trader of seat 0 (red) in the hand." in told[1]
    assert "Seat 1 (yellow) to place the displaced trader and 1 extra piece at most" in told[2]
    assert "Seat 0 (red) to lay out markers: swap offices." in told[3]


@pytest.mark.parametrize(
    ("placed", "extras", "words"),
    [
        (False, 2, "the displaced merchant and 2 extra pieces at most"),
        (False, 0, "the displaced merchant and no extra piece"),
        (True, 1, "1 extra piece at most"),
    ],
)
def test_whoever_is_displaced_is_told_what_they_may_place(placed, extras, words):
    """HT-5.3"""
    step = Relocate(
        (1,), route="gottingen--quedlinburg", piece="merchant", placed=placed, extras=extras
    )
    view = replace(shown(some_table()), pending=step, awaiting=(1,))
    told = f"Seat 1 (yellow) to place {words} (from Göttingen-Quedlinburg)."
    for lines in (GAME.text(view).split(), labels(GAME.svg(view))):
        assert told in " ".join(lines).replace("- ", "-")


def test_whoever_does_not_look_from_a_seat_is_nobody():
    assert "(you" in GAME.text(shown(some_table()))
    assert "(you" not in GAME.text(shown(some_table(), None))


@pytest.mark.parametrize("deed", get_args(Deed))
def test_every_deed_has_words(deed):
    view = replace(shown(some_table()), last=Last(1, deed, KAMPEN, (0, 1), "minden"))
    assert "Last: Seat 1 (yellow) " in GAME.text(view)
    assert GAME.svg(view).count("stroke-dasharray") >= 3


def test_two_players_have_a_pawn_soldiers_and_provinces():
    view = shown(table(player(), player(), pawn="P15"))
    assert {"pawn", "soldier", "North Sea"} <= set(labels(GAME.svg(view)))
    assert "Pawn: P15 Southern rim" in GAME.text(view)
    waiting = replace(view, pawn=None)
    assert "The pawn is not on the map yet." in GAME.text(waiting)
    assert "P01" not in labels(GAME.svg(shown(table())))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_markers_lie_beside_posts_and_on_the_map(chart: Map, language: str) -> None:
    """HT-8.4: neither a piece nor another marker is covered, and each lies near its place."""
    posts = [on_map(chart, post) for route in chart.routes for post in route.layout.posts]
    boxes = [BONUS if route.permanent_bonus else MARKER for route in chart.routes]
    laid = list(zip(marker_spots(chart, labelled(chart, language)), boxes, strict=True))
    for number, (route, ((x, y), (wide, high))) in enumerate(zip(chart.routes, laid, strict=True)):
        assert dist((x, y), on_map(chart, route.layout.marker)) < 60
        assert wide <= x <= WIDTH - wide
        assert high <= y <= height(chart) - high
        assert all(abs(x - a) >= wide + 9 or abs(y - b) >= high + 9 for a, b in posts)
        for (a, b), (wider, higher) in laid[:number]:
            assert abs(x - a) >= wide + wider or abs(y - b) >= high + higher


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_neither_flags_nor_extra_offices_are_hidden_by_posts(chart, language):
    """HT-7.1, HT-7.3: who controls a city can be seen, also beside a long name."""
    posts = [on_map(chart, post) for route in chart.routes for post in route.layout.posts]
    for city in chart.cities:
        x, y = on_map(chart, city.layout.centre)
        below, (right, down) = beside(chart, labelled(chart, language))[city.id]
        assert min(dist((x + right + 10, y + down + 5), post) for post in posts) > 20
        half = plate_width(city) / 2
        tray = (x + 15 - half, y + PLATE / 2 + 17) if below else (x - half - 15, y)
        assert min(dist(tray, post) for post in posts) > 18


def test_extra_offices_lie_below_a_city_where_posts_are_in_the_way():
    """HT-7.3"""
    chart = MAPS["board_4_5"]
    below = beside(chart, labelled(chart, "en"))
    assert below["paderborn"][0]
    assert not below["kampen"][0]
    extra = {"offices": ["1t", None], "extra": ["2t", "0t"]}
    with_tray = GAME.svg(shown(table(cities={"paderborn": extra, "kampen": extra})))
    without = GAME.svg(shown(table(cities={city: {"offices": ["1t", None]} for city in TWO})))
    assert labels(with_tray).count("2") == labels(without).count("2") + len(TWO)


def test_all_kinds_of_markers_fit_on_a_card():
    """HT-12.1"""
    few, all_kinds = (
        GAME.svg(shown(table(player(ready=dict.fromkeys(kinds, 1)), player(), player())))
        for kinds in (MARKERS[:2], MARKERS)
    )
    assert {"Extra", "Swap", "Take 3", "Desk", "+3", "+4"} <= set(labels(all_kinds))
    smaller = re.findall(r"translate\(182 131\) scale\(([.0-9]+)\)", all_kinds)
    assert [0.8 < float(scale) < 1 for scale in smaller] == [True]
    assert "translate(182 131) scale" not in few


def test_whoever_can_only_end_the_turn_is_told_so():
    """HT-11.6"""
    closed = {"closed": True, "acted": True, "pawn_moved": True, "actions": 1}
    words = " ".join(GAME.text(shown(table(player(), player(), **closed))).split())
    assert "Seat 0 (red) to end the turn, since the pawn has moved after an action." in words


def test_the_end_names_the_winners():
    over = replace(shown(some_table()), ended="prestige", winners=(0, 2), awaiting=())
    text = " ".join(GAME.text(over).split())
    assert "20 points of prestige: seat 0 (red) and seat 2 (blue) win together." in text
    assert "Seat 0, red (you, winner)" in labels(GAME.svg(over))
    assert "Nobody has to decide." in GAME.text(replace(shown(some_table()), awaiting=()))


@pytest.mark.parametrize("name", MOMENTS)
def test_whoever_has_to_decide_is_told_for_what(name):
    """HT-3.4: text and picture tell the same, before every kind of decision."""
    state = MOMENTS[name]()
    (seat,) = awaited(state)
    view = shown(state, seat)
    told = scene(view).status
    assert told.startswith(f"Seat {seat} ({view.colours[seat]}) ")
    assert told in " ".join(GAME.text(view).replace("-\n", "-").split())
    assert told in scene(view).summary
    assert f"Seat {seat}, {view.colours[seat]} (you, to decide)" in labels(GAME.svg(view))


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("moving any two", "to move anybody's pieces, none in the hand"),
        ("green office", "may open an office in a green city"),
        ("redeploying", "may redeploy two pieces of the route, 2 at most"),
        ("placing in Wales", "may place two pieces in Wales or Scotland, 2 at most"),
        ("placing the pawn", "to put the pawn into a province"),
        ("no actions left", "to act, 0 actions left"),
        ("turn that is closed", "to end the turn, since the pawn has moved after an action"),
    ],
)
def test_tasks_in_words(name, task):
    """HT-11.3, HT-11.6, HT-14.5, HT-14.7, HT-14.8, HT-14.9"""
    assert scene(shown(MOMENTS[name]())).status.partition(") ")[2] == f"{task}."


def test_the_map_of_the_east_shows_what_the_standard_one_has_not():
    """HT-14.1, HT-14.4, HT-14.10"""
    view = shown(MOMENTS["turn in the east"]())
    words = labels(GAME.svg(view))
    assert {
        "Move 2",
        "Privilege",
        "Redeploy 2",
        "Green city",
        "free post for a merchant",
        "m",
    } <= set(words)
    told = " ".join(GAME.text(view).split())
    assert "Stralsund-Wismar (move any two pieces)" in told
    assert "A free post o is for a merchant." in told
    (waren,) = (line for line in GAME.text(view).splitlines() if line.startswith(" Waren"))
    assert waren.split() == ["Waren", "bag", "or", "actions,", "green"]
    standard = labels(GAME.svg(shown(some_table())))
    assert not {"Move 2", "Privilege", "m"} & set(standard)


def test_countries_and_permissions_are_told():
    """HT-14.3, HT-14.12"""
    state = MOMENTS["turn in Britannia"]()
    view = shown(state)
    assert "Wales" in labels(GAME.svg(view))
    told = " ".join(GAME.text(view).replace("-\n", "-").split())
    assert "Permissions: Cardiff for Wales (seat 0), London for Wales" in told
    assert "In Wales: Cardiff-Montgomery, Cardiff-Pembroke" in told
    then = after(state, PlacePiece(0, "trader", ("conway--montgomery", 0)))
    used = " ".join(GAME.text(shown(then)).replace("-\n", "-").split())
    assert "Cardiff for Wales (seat 0, used)" in used


def test_the_card_of_a_seat_stands_out_if_it_decides_or_has_won():
    """HT-5.2, HT-10.7: the owner of a displaced piece decides in the turn of another player."""
    pushed = shown(MOMENTS["displaced trader"](), None)
    words = labels(GAME.svg(pushed))
    assert "Seat 1, yellow (to decide)" in words
    assert "Seat 0, red" in words
    assert GAME.svg(pushed).count('fill="#ffffff" stroke="#2b2620" stroke-width="2.5"') == 1
    over = replace(pushed, ended="pieces", winners=(2,), awaiting=())
    assert "Seat 2, blue (winner)" in labels(GAME.svg(over))
    assert GAME.svg(over).count('fill="#fff1bf"') == 1
    assert "too few pieces are left to establish a route: seat 2 (blue) wins." in scene(over).status
