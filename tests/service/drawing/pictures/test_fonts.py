"""The fonts that we ship, used for PNG pictures."""

from __future__ import annotations

import pytest

from domain.engine.drawing import svg
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.sentences import TEXTS
from service.drawing.pictures.fonts import code_points, fonts_for
from service.drawing.pictures.inputs import render_png

SOURCES = [*(game.resources.texts for game in GAMES.values()), TEXTS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_have_every_letter_of_all_texts(language):
    """If a letter is missing, rebuild them: `service/drawing/fonts/README.md`."""
    said = {*"".join(text for texts in SOURCES for text in texts.get(language, {}).values())}
    assert {letter for letter in said if ord(letter) not in code_points()} == set()


def test_a_letter_of_two_shapes_has_that_of_the_language():
    picture = svg.document(200, 100, "", "", svg.text(20, 60, "\u4ee4", 40))
    missing = picture.replace("\u4ee4", "\u2603")
    drawn = [
        render_png(picture, None, "zh-Hant"),
        render_png(picture, None, "zh-Hans"),
        render_png(missing),
    ]
    assert len({*drawn}) == 3


def test_of_two_faces_that_of_the_language_comes_first():
    for language in ("zh-Hant", "zh-Hans"):
        assert language in fonts_for(language)[0]
        assert sorted(fonts_for(language)) == sorted(fonts_for("en"))
