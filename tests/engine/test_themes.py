"""Themes replace colours: in the dark all contrasts stay, and pieces keep their colours."""

from __future__ import annotations

from itertools import pairwise

import pytest

from domain.engine.drawing import svg
from domain.engine.drawing.panel import FAINT, INK, KEPT_FAINT, KEPT_INK, PAPER
from domain.engine.drawing.themes import (
    COLOUR,
    NIGHT,
    THEMES,
    Palettes,
    Theme,
    colour_in,
    contrast,
    luminance,
    recolour,
)
from tests.support.for_each import for_each

GREYS = [f"#{part:02x}{part:02x}{part:02x}" for part in range(0, 256, 15)]
COLOURS = ("#c43d2c", "#f6d23c", "#2467ad", "#dbe3bd", "#8fc6d6", INK, FAINT, PAPER)
SAID = 'fill="#abcdef" #abcdef'
NAME = "#abcdef"
DRAWN = svg.document(
    100,
    100,
    NAME,
    SAID,
    svg.group(svg.rect(0, 0, 9, 9, fill=INK, stroke=PAPER), stroke=FAINT),
    svg.text(0, 0, SAID, 12, fill=INK),
    svg.definitions(svg.gradient("sky", INK, PAPER)),
    svg.panel_group([svg.rect(0, 0, 9, 9, fill="url(#sky)")], (0, 0), (9, 9), NAME),
)


def test_the_standard_theme_is_as_drawn() -> None:
    assert recolour(DRAWN, "standard") == DRAWN
    assert all(colour_in("standard", colour) == colour for colour in COLOURS)


@for_each("theme", [one for one in THEMES if one != "standard"])
def test_a_theme_changes_all_colours_and_nothing_else(theme: Theme) -> None:
    changed = recolour(DRAWN, theme)
    assert COLOUR.sub("", changed) == COLOUR.sub("", DRAWN)
    assert not {INK, PAPER, FAINT} & {colour for _, colour in COLOUR.findall(changed)}
    assert changed.count(NAME) == DRAWN.count(NAME)
    assert {name for name, _ in COLOUR.findall(changed)} == {"fill", "stroke", "stop-color"}


@for_each("other", COLOURS)
@for_each("colour", COLOURS)
def test_what_was_clear_by_day_is_as_clear_in_the_dark(colour: str, other: str) -> None:
    """Up to the rounding of dark colours, and to white, beyond which nothing is lighter."""
    dark = contrast(colour_in("dark", colour), colour_in("dark", other))
    assert dark == pytest.approx(contrast(colour, other), rel=0.14)


def test_in_the_dark_the_order_is_reversed_and_else_it_stays() -> None:
    signs: dict[Theme, int] = {"dark": -1, "contrast": 1, "print": 1}
    for theme, sign in signs.items():
        lights = [luminance(colour_in(theme, grey)) for grey in GREYS if grey not in NIGHT]
        assert all(sign * low <= sign * high for low, high in pairwise(lights)), theme


def test_pieces_keep_their_colours_in_the_dark_and_a_hue_in_high_contrast() -> None:
    for colour in COLOURS:
        assert colour_in("dark", colour.upper()) == colour.upper()
    yellow = colour_in("contrast", "#F6D23C")
    assert contrast(yellow, "#ffffff") > 1.3
    assert (INK.upper(), FAINT.upper()) == (KEPT_INK, KEPT_FAINT)


def test_a_game_can_say_its_colours_in_the_dark_alone() -> None:
    own = Palettes(dark={"#dbe3bd": "#123456"})
    assert colour_in("dark", "#dbe3bd", own) == "#123456"
    for theme in THEMES[2:]:
        assert colour_in(theme, "#dbe3bd", own) == colour_in(theme, "#dbe3bd")


@for_each("colour", COLOURS)
def test_print_has_no_colours_and_white_paper(colour: str) -> None:
    for one in (colour, colour.upper()):
        red, green, blue = (colour_in("print", one)[at : at + 2] for at in (1, 3, 5))
        assert red == green == blue
    assert colour_in("print", PAPER) == "#ffffff"


@for_each("theme", THEMES[1:])
def test_letters_on_paper_can_be_read_in_every_theme(theme: Theme) -> None:
    paper = colour_in(theme, PAPER)
    assert contrast(colour_in(theme, INK), paper) > 7
    assert contrast(colour_in(theme, FAINT), paper) > 4.5
