import struct

import pytest

from domain.engine.drawing import svg
from service.drawing.pictures.inputs import render_png


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


def test_input_other_than_svg_is_refused():
    with pytest.raises(ValueError, match="token"):
        render_png("no picture")
