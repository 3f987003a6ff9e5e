"""The table in other languages: names that are on the map, lines that fit."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest

from domain.engine.contract.refusals import describe_refusal
from domain.engine.drawing.terminal_width import MAX_COLUMNS, column_width
from domain.engine.errors import RuleBroken
from domain.engine.game import judge
from domain.engine.sentences import LANGUAGES
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS
from domain.games.hansa_teutonica.moves import PlacePiece
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.test_render import labels, show, some_table
from tests.support.for_each import for_each

HANNOVER = "bremen--hannover"


def test_the_text_is_never_wider_than_80_columns():
    for (name, build), language in product(MOMENTS.items(), LANGUAGES):
        text = GAME.render_text(show(build()), GAME.words(language))
        assert max(map(column_width, text.splitlines())) <= MAX_COLUMNS, (name, language)


def test_cities_stand_on_the_map_in_chinese_and_as_they_are_printed():
    """HT-1.9: players with the box find the same name."""
    words = GAME.words("zh-Hant")
    drawn, text = (
        labels(GAME.render_svg(show(some_table()), words)),
        GAME.render_text(show(some_table()), words),
    )
    assert {"漢堡", "Hamburg", "呂貝克", "錢袋", "Lübeck"} <= set(drawn)
    assert "呂貝克 Lübeck" in text


def test_no_name_is_the_same_as_another_on_its_map():
    for language in LANGUAGES:
        for chart in MAPS.values():
            names = {GAME.resources.texts[language][f"city_{city.id}"] for city in chart.cities}
            assert len(names) == len(chart.cities)


@for_each(
    ("language", "told"),
    [
        ("en", "Bremen–Hannover, post 3 is taken. Choose a free post."),
        ("zh-Hant", "不來梅－漢諾威第3段道路上已有棋子。請選擇空的道路。"),
        ("zh-Hans", "不来梅－汉诺威第3段道路上已有棋子。请选择空的道路。"),
    ],
)
def test_a_refusal_says_the_names_that_are_on_the_map(language, told):
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, MOMENTS["turn"](), PlacePiece(0, "trader", (HANNOVER, 2)))
    assert GAME.words(language).say(describe_refusal(refused.value)) == told


def test_players_have_their_names():
    view, names = show(MOMENTS["displaced trader"]()), ["小明", "ada", None]
    drawn = labels(GAME.render_svg(view, GAME.words("zh-Hant", names)))
    assert {"小明，紅色（你）", "ada，黃色（輪到行動）", "第3座位，藍色"} <= set(drawn)
    english = labels(
        GAME.render_svg(show(MOMENTS["displaced trader"]()), GAME.words("en", [None, "ada"]))
    )
    assert any(line.startswith("ada (yellow) is placing") for line in english)


@pytest.mark.parametrize(
    "kind", ["post:arnheim--kampen:0", "supply:trader", "ability:book", "marker:remove_three"]
)
def test_small_things_have_a_touch_area(kind):
    """At least 24 pixels each way, invisible around the thing."""
    tree = ElementTree.fromstring(GAME.render_svg(show(some_table()), GAME.words()))
    [thing] = (one for one in tree.iter() if one.get("data-at") == kind)
    [reach] = (one for one in thing.iter() if one.get("pointer-events") == "all")
    around = reach.get("r")
    sides = [2 * float(around)] if around else [float(reach.attrib[a]) for a in ("width", "height")]
    assert min(sides) >= 24
