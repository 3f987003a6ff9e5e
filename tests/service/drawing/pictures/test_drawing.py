import struct

import pytest

from domain.engine.drawing import svg
from service.drawing.pictures.inputs import png


def picture(words: str, font: str = svg.FONT) -> str:
    return svg.document(200, 100, "", "", svg.text(20, 60, words, 40, font_family=font))


def size(image: bytes) -> tuple[int, int]:
    return struct.unpack(">II", image[16:24])


@pytest.mark.parametrize("width", [1, 200, 1200])
def test_a_png_has_the_width_asked_for_and_keeps_its_proportions(width):
    image = png(picture("Qin"), width)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert size(image) == (width, max(1, round(width / 2)))


def test_letters_need_no_font_of_the_machine():
    blank = png(picture(""))
    assert png(picture("Qin 13")) != blank
    assert png(picture("Größe Łódź")) != blank


def test_fonts_of_the_machine_are_not_used():
    assert png(picture("Qin", "'DejaVu Sans'")) == png(picture("Qin", "Nowhere"))


def test_the_same_picture_gives_the_same_bytes():
    assert png(picture("Qin")) == png(picture("Qin"))


def test_what_is_not_svg_is_refused():
    with pytest.raises(ValueError, match="token"):
        png("no picture")
