import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

import domain
from domain.engine.drawing import svg
from domain.games import GAMES
from service.drawing.pictures.inputs import render_png, source_files
from tests.games.record import record

SVG = "{http://www.w3.org/2000/svg}"


def picture(words: str, font: str = svg.FONT) -> str:
    return svg.document(200, 100, "", "", svg.text(20, 60, words, 40, font_family=font))


def size(image: bytes) -> tuple[int, int]:
    return struct.unpack(">II", image[16:24])


@pytest.mark.parametrize("width", [1, 200, 1200])
def test_a_png_has_the_requested_width_and_keeps_its_proportions(width):
    image = render_png(picture("Qin"), width)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert size(image) == (width, max(1, round(width / 2)))


def test_letters_need_no_font_of_the_machine():
    blank = render_png(picture(""))
    assert render_png(picture("Qin 13")) != blank
    assert render_png(picture("Größe Łódź")) != blank


def test_fonts_of_the_machine_are_not_used():
    assert render_png(picture("Qin", "'DejaVu Sans'")) == render_png(picture("Qin", "Nowhere"))


def test_the_same_picture_gives_the_same_bytes():
    assert render_png(picture("Qin")) == render_png(picture("Qin"))


@pytest.mark.parametrize("width", [127, 163, 211, 290])
def test_the_ground_of_a_pattern_has_no_seams(width):
    """At any size: what it fills looks like what is filled with its colour."""
    waves = svg.definitions(svg.pattern("waves", 25, fill="#86c0d2"))
    drawn = [
        render_png(
            svg.document(200, 100, "", "", waves, svg.rect(-9, -9, 218, 118, fill=fill)), width
        )
        for fill in ("url(#waves)", "#86c0d2")
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_pattern_of_a_game_has_a_ground_that_ends_at_its_edges(game):
    for one in patterns_of(game):
        box = {"x": "0", "y": "0", "width": one.get("width"), "height": one.get("height")}
        assert not [each for each in one if box.items() <= each.attrib.items()], one.get("id")


def test_patterns_of_games_are_found():
    assert len(patterns_of(GAMES["qin"])) > 1


def patterns_of(game):
    """The patterns in a picture of a game, which may have none."""
    start = record(game, game.seats[0], 0).moments[0].state
    drawn = ElementTree.fromstring(game.render_svg(game.view(start, None), game.words()))
    return list(drawn.iter(f"{SVG}pattern"))


def test_input_other_than_svg_is_refused():
    with pytest.raises(ValueError, match="token"):
        render_png("no picture")


def test_the_places_on_a_map_are_part_of_what_a_picture_depends_on():
    """Else the ETag of a picture stays when they change."""
    places = Path(domain.__file__).with_name("games") / "hansa_teutonica/data/drawing.json"
    assert places in source_files()
