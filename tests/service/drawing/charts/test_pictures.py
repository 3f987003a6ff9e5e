"""Every chart is a picture that any viewer can show, and that is readable without colours."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.sentences import LANGUAGES
from service.drawing.charts.chart import Chart, Mark
from service.drawing.charts.layout import NARROW_WIDTH
from service.drawing.charts.match_graph import draw_match_graph
from service.drawing.charts.match_strip import HEIGHT, WIDTH, draw_match_strip
from service.drawing.charts.points_graph import PointsGraph, draw_points_graph
from service.drawing.charts.renderer import render_svg
from service.drawing.charts.rows import MAX_ROWS
from service.drawing.charts.text_metrics import text_width
from service.drawing.charts.texts import TEXTS
from service.drawing.charts.theme import COLOURS, DISTINCT_SERIES
from service.drawing.pictures.inputs import render_png
from tests.service.drawing.charts.examples import (
    CHARTS,
    HOSTILE,
    LONG,
    PICTURES,
    chart,
    draw_picture,
    graph,
)
from tests.support.languages import say_the_same

MIN_LETTER_PX = 11
EXTREMES = {"tiny", "huge"}
"""Charts of which one number is as wide as a phone."""
SVG = "{http://www.w3.org/2000/svg}"


def all_pictures():
    """Each picture of the examples, with its name."""
    for name in PICTURES:
        yield name, ElementTree.fromstring(draw_picture(name))


def texts_of(picture):
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def draw(name, kind="bars"):
    return ElementTree.fromstring(render_svg(CHARTS[name], kind))


def numbers(picture):
    return [
        float(number)
        for element in picture.iter()
        for key in ("x", "y", "d", "points", "width", "height", "cx", "cy")
        for number in re.findall(r"-?\d+\.?\d*|nan|inf", element.get(key, ""))
    ]


def test_it_has_a_title_and_a_description_for_screen_readers():
    for name, picture in all_pictures():
        title, description = list(picture)[:2]
        assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc"), name
        assert title.text, name
        assert description.text, name
        assert picture.get("role") == "img", name


def test_it_holds_nothing_that_runs_or_is_fetched():
    for name, picture in all_pictures():
        tags = {element.tag for element in picture.iter()}
        assert not tags & {f"{SVG}script", f"{SVG}image"}, name
        keys = {key for element in picture.iter() for key in element.keys()}  # noqa: SIM118
        assert not [key for key in keys if key.startswith("on") or "href" in key], name


def test_nothing_is_drawn_outside():
    for name, picture in all_pictures():
        width, height = int(picture.get("width")), int(picture.get("height"))
        for element in picture.iter(f"{SVG}text"):
            assert 0 <= float(element.get("x")) <= width, name
            assert 0 <= float(element.get("y")) <= height, name
        for element in picture.iter(f"{SVG}rect"):
            assert float(element.get("x")) + float(element.get("width")) <= width + 0.01, name
        assert all(abs(number) < 20_000 for number in numbers(picture)), name


@pytest.mark.parametrize("name", sorted(set(CHARTS) - EXTREMES))
@pytest.mark.parametrize("kind", ["bars", "points", "lines"])
def test_a_narrow_chart_holds_all_its_words_in_legible_letters(name, kind):
    picture = ElementTree.fromstring(draw_picture(f"narrow {name} as {kind}"))
    assert picture.get("width") == str(NARROW_WIDTH)
    for one in picture.iter(f"{SVG}text"):
        size, x = float(one.get("font-size")), float(one.get("x"))
        wide = text_width(one.text or "", size)
        left = x - {"end": wide, "middle": wide / 2}.get(one.get("text-anchor"), 0)
        assert size >= MIN_LETTER_PX
        assert left >= 0, one.text
        assert left + wide <= NARROW_WIDTH, one.text


@pytest.mark.parametrize("name", ["series as bars", "long words as bars", "graph of 5 over 300"])
def test_no_word_is_drawn_over_the_edge(name):
    assert strip(name, 720) == strip(name, 5000)
    assert strip(name, 620) != strip(name, 5000)


def strip(name, left):
    """What is drawn in the 100 pixels from `left`, without the background."""
    source = draw_picture(name).replace(COLOURS["light"]["paper"], "none")
    there = re.sub(
        r'viewBox="0 0 720 (\d+)" width="720"', rf'viewBox="{left} 0 100 \1" width="100"', source
    )
    assert there != source
    return render_png(there)


def test_what_stands_beside_the_axis_does_not_reach_into_it():
    texts = [one for one in draw("long words").iter(f"{SVG}text") if "…" in (one.text or "")]
    assert texts
    assert all(len(one.text) < 90 for one in texts)


@pytest.mark.parametrize("kind", ["bars", "points", "lines"])
def test_words_are_escaped(kind):
    source = render_svg(CHARTS["hostile words"], kind)
    assert "<script" not in source
    assert "&lt;script&gt;" in source


def test_numbers_of_cases_are_shown():
    assert {"cases", "0", "100", "200"} <= set(texts_of(draw("several")))
    assert {"n 0", "n 100", "n 200"} <= set(texts_of(draw("several", "lines")))
    assert "n" not in texts_of(draw("one"))


def test_values_are_shown_beside_bars():
    assert {"0", "\u22122"} <= set(texts_of(draw("without intervals")))
    assert {"\u22123.2", "3.8"} <= set(texts_of(draw("several")))


def test_bars_begin_at_zero_and_points_need_not():
    far = Chart("Far", "x", "y", (Mark("a", 1001), Mark("b", 1002)))
    assert "0" in texts_of(ElementTree.fromstring(render_svg(far, "bars")))
    assert "0.0" not in texts_of(ElementTree.fromstring(render_svg(far, "points")))
    assert "1,001.0" in texts_of(ElementTree.fromstring(render_svg(far, "points")))


def test_a_baseline_is_drawn_with_its_number():
    with_one = render_svg(chart(3, baseline=1.25), "points")
    assert ">1.25<" in with_one
    assert (
        with_one.count("stroke-dasharray")
        == render_svg(chart(3, baseline=None), "points").count("stroke-dasharray") + 1
    )


def test_omitted_items_are_counted():
    assert f"and {1000 - MAX_ROWS} more" in texts_of(draw("many"))
    assert "and" not in " ".join(texts_of(draw("forty")))


def test_an_empty_chart_says_so():
    assert "Nothing to show yet." in texts_of(draw("nothing"))


def test_the_description_contains_every_number():
    several = Chart("T", "seat", "share", (Mark("seat 1", 0.5, 0.4, 0.6, 12, "people"),))
    description = ElementTree.fromstring(render_svg(several, "bars"))[1].text
    assert description == "share by seat: seat 1 (people) 0.5 (0.4 to 0.6), n 12."


def test_a_line_breaks_where_a_label_has_no_mark():
    marks = [
        Mark(label, 1, series=of) for label in "abcd" for of in "xy" if (label, of) != ("b", "y")
    ]
    picture = render_svg(Chart("T", "x", "y", tuple(marks)), "lines")
    strokes = [line.count("L") for line in re.findall(r' d="M([^"HVZvh]*)"', picture)]
    assert sorted(strokes) == [0, 1, 3]


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", COLOURS)
def test_everything_stands_out_from_the_paper(theme):
    colours = COLOURS[theme]
    assert contrast(colours["ink"], colours["paper"]) >= 7
    assert contrast(colours["soft"], colours["paper"]) >= 4.5
    assert all(contrast(colours[f"s{n}"], colours["paper"]) >= 4.4 for n in range(DISTINCT_SERIES))


def test_light_and_dark_are_different_and_auto_knows_both():
    pictures = {theme: render_svg(chart(3), "bars", theme) for theme in ("auto", "light", "dark")}
    assert (
        render_png(pictures["auto"])
        == render_png(pictures["light"])
        != render_png(pictures["dark"])
    )
    assert "prefers-color-scheme:dark" in pictures["auto"]
    assert COLOURS["dark"]["paper"] in pictures["auto"]
    assert COLOURS["dark"]["paper"] not in pictures["light"]


@pytest.mark.parametrize("kind", ["bars", "points", "lines"])
def test_series_are_distinct_without_colours(kind):
    """In one colour, no two series look alike."""
    values = [Mark("a", 1, series=str(n)) for n in range(5)]
    one = render_svg(Chart("T", "x", "y", tuple(values)), kind)
    shapes = {re.sub(r"-s\d", "", sample) for sample in samples(one, kind)}
    assert len(shapes) == 5


def samples(picture, kind):
    """The symbols in front of the legend's names, moved to one place."""
    root = ElementTree.fromstring(picture)
    parts = list(root.findall(f"{SVG}g")[1])[::2]
    return [re.sub(r"[\d.]+(?=[ ,\"h])", "", shape(part)) for part in parts]


def shape(part):
    return " ".join(
        f"{one.tag} {one.get('stroke-dasharray')} {one.get('fill')} {len(one.get('points', ''))}"
        for one in part.iter()
    )


def test_turning_points_are_marked_with_their_versions():
    picture = ElementTree.fromstring(draw_match_graph(graph(2, 300)))
    assert {"4", "300"} <= set(texts_of(picture))
    assert "10000" not in texts_of(picture)
    assert "version 300: Ada" in picture[1].text


def test_a_strip_has_only_lines_from_the_first_version_to_the_last():
    found = replace(graph(2, 300), turning_points=(300,), colours=["#111111", "#222222"])
    picture = ElementTree.fromstring(draw_match_strip(found))
    assert "version 300: Ada" in picture[1].text
    assert texts_of(picture) == []
    lines = [one.get("d") for one in picture.iter() if one.get("stroke") == "#222222"]
    assert len(lines) == 1
    first, *_, last = lines[0].removeprefix("M").split("L")
    assert float(last.split()[0]) == WIDTH
    assert float(first.split()[0]) == pytest.approx(
        WIDTH * (found.chances[0][0] - 1) / (found.chances[-1][0] - 1), abs=0.1
    )
    heights = [float(one.split()[1]) for one in lines[0].removeprefix("M").split("L")]
    assert all(0 <= one <= HEIGHT for one in heights)


def test_what_is_even_depends_on_the_seats_unless_all_play_together():
    alone = replace(graph(1, 20), luck=())
    together = replace(alone, cooperative=True)
    drawn = [texts_of(ElementTree.fromstring(draw_match_graph(one))) for one in (alone, together)]
    assert [words.count("50%") for words in drawn] == [0, 1]


def test_a_graph_shows_the_luck_of_each_seat():
    picture = ElementTree.fromstring(draw_match_graph(graph(3, 20)))
    assert {"\u221220%", "\u221210%", "0%"} <= set(texts_of(picture))
    assert "Luck: Ada \u221220%" in picture[1].text


def test_points_hold_until_the_next_version():
    """Lines run across, then up or down; the description says where they end."""
    one = PointsGraph("Points", ["Ada", "Bob"], [(1, [0, 0]), (5, [4, 0]), (9, [4, 6])])
    source = draw_points_graph(one)
    lines = re.findall(r'd="M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)H[\d.]+V([\d.]+)"', source)
    assert [[low == middle, middle == high] for low, middle, high in lines] == [
        [False, True],
        [True, False],
    ]
    assert "At the end: Ada 4, Bob 6." in source


@pytest.mark.parametrize("theme", COLOURS)
def test_seats_have_their_colours_and_are_seen_on_any_paper(theme):
    """Also white ones on white paper: each line and each point has an edge in ink."""
    colours = ["#ffffff", "#24211e"]
    points = PointsGraph("P", ["Ada", "Bob"], [(1, [0, 0]), (5, [4, 1])], colours=colours)
    chances = replace(graph(2, 9), colours=colours)
    for source in (draw_points_graph(points, theme), draw_match_graph(chances, theme)):
        for seat, colour in enumerate(colours):
            assert f".l-s{seat}{{stroke:{colour}}}" in source
        parts = [*ElementTree.fromstring(source).iter()]
        edges = {one.get("d"): one for one in parts if one.get("class") == "l-ink"}
        thick = [one for one in parts if one.get("stroke-width") == "2"]  # hatches are thinner
        lines = [one for one in thick if one.get("class", "").startswith("l-s")]
        assert len(lines) == 2 * len(colours)  # one of each is in the legend
        for line in lines:
            edge = edges[line.get("d")]
            assert edge.get("stroke-dasharray") == line.get("stroke-dasharray")
            assert float(edge.get("stroke-width")) > float(line.get("stroke-width"))
        dots = [one.get("class") for one in parts if re.match(r"f-s\d l-", one.get("class", ""))]
        assert {one.split()[1] for one in dots} == {"l-ink"}


def test_numbers_of_a_chart_have_its_sign():
    one = Chart("T", "x", "share", (Mark("a", 25, 20, 30),), 40, sign="%", column="wins")
    source = render_svg(one, "bars")
    assert {"25%", "40%", "wins"} <= set(texts_of(ElementTree.fromstring(source)))
    assert "a 25% (20% to 30%)" in source
    ticks = [one for one in texts_of(ElementTree.fromstring(source)) if one[:1].isdigit()]
    assert all(one.endswith("%") for one in ticks)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e16])
def test_what_cannot_be_drawn_is_refused(value):
    with pytest.raises(ValueError, match="cannot be drawn"):
        Mark("a", value)
    with pytest.raises(ValueError, match="cannot be drawn"):
        Mark("a", 1, low=value)


def test_examples_are_as_bad_as_it_gets():
    assert HOSTILE in {mark.series for mark in CHARTS["hostile words"].marks}
    assert len(LONG) > 200


def test_every_language_says_the_same():
    assert set(TEXTS) == set(LANGUAGES)
    say_the_same(TEXTS)


def test_a_chart_is_in_its_language():
    one = Chart("T", "x", "y", (), language="zh-Hant")
    assert TEXTS["zh-Hant"]["nothing"] in texts_of(ElementTree.fromstring(render_svg(one, "bars")))
    received = draw_match_graph(replace(graph(2, 9), language="zh-Hans"))
    assert {TEXTS["zh-Hans"][key] for key in ("version", "luck")} <= {
        *texts_of(ElementTree.fromstring(received))
    }


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_a_chinese_chart_has_no_latin_word_of_its_own(language):
    """One letter, as in `n 12`, is a sign."""
    marks = [Mark(f"第{one}", one, one, one, one, of) for one in range(99) for of in ("", "甲")]
    asked = Chart("题", "座", "分", tuple(marks), 1, language)
    words = {"title": "题", "language": language}
    pictures = [
        *(
            render_svg(one, kind, narrow=narrow)
            for one in (asked, replace(asked, marks=()))
            for kind in ("bars", "points", "lines")
            for narrow in (True, False)
        ),
        draw_match_graph(replace(graph(2, 9), seats=["甲", "乙"], **words)),
        draw_points_graph(PointsGraph(labels=["甲", "乙"], points=[(1, [0, 0])], **words)),
    ]
    for source in pictures:
        picture = ElementTree.fromstring(source)
        said = [*texts_of(picture), *(one.text for one in list(picture)[:2])]
        assert [one for one in said if re.search("[A-Za-z]{2}", one)] == []
