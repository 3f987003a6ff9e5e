"""The fonts that come with the package, by language, and the characters they have."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FONT_FOLDER = Path(__file__).parents[1] / "fonts"
FONTS = sorted([*FONT_FOLDER.glob("*.ttf"), *FONT_FOLDER.glob("*.otf")])
LAST_CODE_POINT = 0xFFFE
"""The last code point of the plane; the next one ends a table of characters."""


def fonts_for(language: str) -> list[str]:
    """Return the paths of all fonts, those of the language first."""
    return [str(font) for font in sorted(FONTS, key=lambda one: f".{language}." not in one.name)]


@cache
def code_points() -> frozenset[int]:
    """Return the code points of all characters that at least one font has."""
    found = (code_points_of(font.read_bytes()) for font in FONTS)
    return frozenset(letter for font in found for letter, glyph in font.items() if glyph)


def code_points_of(font: bytes) -> dict[int, int]:
    """Return the code points in a font's table `cmap`, in format 4 (OpenType, 5.2.4), with their
    glyph ids, or 0 if the font has no glyph.
    """
    cmap = tables_of(font)["cmap"]
    count = struct.unpack_from(">H", font, cmap + 2)[0]
    places = (cmap + struct.unpack_from(">4xI", font, cmap + 4 + 8 * n)[0] for n in range(count))
    return dict(_glyphs(font, next(at for at in places if font[at : at + 2] == b"\0\4")))


@cache
def letter_widths(*, is_bold: bool) -> dict[str, float]:
    """Return how wide each letter of Roboto is, as a part of its size (OpenType, 5.2.5)."""
    font = (FONT_FOLDER / f"Roboto-{'Bold' if is_bold else 'Regular'}.ttf").read_bytes()
    tables = tables_of(font)
    units = struct.unpack_from(">H", font, tables["head"] + 18)[0]
    known = struct.unpack_from(">H", font, tables["hhea"] + 34)[0]
    return {
        chr(letter): struct.unpack_from(">H", font, tables["hmtx"] + 4 * min(glyph, known - 1))[0]
        / units
        for letter, glyph in code_points_of(font).items()
        if glyph
    }


def tables_of(font: bytes) -> dict[str, int]:
    """Return the offsets of the tables of a font."""
    count = struct.unpack_from(">H", font, 4)[0]
    rows = (struct.unpack_from(">4s4xI", font, 12 + 16 * number) for number in range(count))
    return {tag.decode(): place for tag, place in rows}


def _glyphs(font: bytes, at: int) -> Iterator[tuple[int, int]]:
    half = struct.unpack_from(">H", font, at + 6)[0]
    for n in range(half // 2):
        end, start, delta, away = (
            struct.unpack_from(">H", font, at + place + 2 * n)[0]
            for place in (14, 16 + half, 16 + 2 * half, 16 + 3 * half)
        )
        for letter in range(start, min(end, LAST_CODE_POINT) + 1):
            here = at + 16 + 3 * half + 2 * n + away + 2 * (letter - start)
            glyph = struct.unpack_from(">H", font, here)[0] if away else letter
            yield letter, (glyph + delta) % 65536 if glyph or not away else 0
