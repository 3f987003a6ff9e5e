"""The table in other languages: names that can be found on the map, lines that are not too wide."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from domain.engine.drawing.terminal_width import COLUMNS, wide
from domain.engine.errors import RuleBroken
from domain.engine.game import judge, refuse
from domain.engine.sentences import LANGUAGES
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS
from domain.games.hansa_teutonica.moves import PlacePiece
from domain.games.hansa_teutonica.render import room
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.test_render import labelled, labels, shown, some_table

HANNOVER = "bremen--hannover"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MOMENTS)
def test_the_text_is_never_wider_than_80_columns(name, language):
    text = GAME.text(shown(MOMENTS[name]()), GAME.words(language))
    assert max(map(wide, text.splitlines())) <= COLUMNS


def test_cities_stand_on_the_map_in_chinese_and_as_they_are_printed():
    """HT-1.9: whoever has the box beside them finds the same name."""
    words = GAME.words("zh-Hant")
    drawn, text = (
        labels(GAME.svg(shown(some_table()), words)),
        GAME.text(shown(some_table()), words),
    )
    assert {"漢堡", "Hamburg", "呂貝克：錢袋", "Lübeck"} <= set(drawn)
    assert "呂貝克 Lübeck" in text


def test_no_name_is_the_same_as_another_on_its_map():
    for language in LANGUAGES:
        for chart in MAPS.values():
            names = {GAME.texts[language][f"city_{city.id}"] for city in chart.cities}
            assert len(names) == len(chart.cities)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_labels_stay_on_the_map(chart, language):
    for city, label in zip(chart.cities, labelled(chart, language), strict=True):
        x, _ = room.on_map(chart, city.layout.centre)
        assert label.width / 2 <= x + label.aside <= room.WIDTH - label.width / 2


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "A piece stands on Bremen-Hannover, post 3."),
        ("zh-Hant", "不來梅\uff0d漢諾威第 3 站上已有棋子。"),
        ("zh-Hans", "不来梅\uff0d汉诺威第 3 站上已有棋子。"),
    ],
)
def test_a_refusal_says_the_names_that_are_on_the_map(language, told):
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, MOMENTS["turn"](), PlacePiece(0, "trader", (HANNOVER, 2)))
    assert GAME.words(language).say(refuse(refused.value)) == told


def test_people_are_called_by_their_names():
    view, names = shown(MOMENTS["displaced trader"]()), ["小明", "ada", None]
    drawn = labels(GAME.svg(view, GAME.words("zh-Hant", names)))
    assert {"小明，紅色（你）", "ada，黃色（待決定）", "座位 2，藍色"} <= set(drawn)
    english = labels(
        GAME.svg(shown(MOMENTS["displaced trader"]()), GAME.words("en", [None, "ada"]))
    )
    assert any(line.startswith("ada (yellow) to place") for line in english)


@pytest.mark.parametrize(
    "kind", ["post:arnheim--kampen:0", "supply:trader", "ability:book", "marker:remove_three"]
)
def test_small_things_have_room_for_a_finger(kind):
    """At least 24 units each way, unseen around the thing."""
    tree = ElementTree.fromstring(GAME.svg(shown(some_table())))
    [thing] = (one for one in tree.iter() if one.get("data-at") == kind)
    [reach] = (one for one in thing.iter() if one.get("pointer-events") == "all")
    scale = 1.0 if kind.startswith("post") else 1.6
    assert min(float(reach.attrib[side]) * scale for side in ("width", "height")) >= 24
