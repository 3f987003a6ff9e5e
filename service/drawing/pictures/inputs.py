"""What a picture is drawn from, and drawing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from resvg_py import svg_to_bytes

import domain
from domain.engine.drawing.svg import resized
from domain.engine.game import Drawn, Game
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Texts, Words
from service.drawing.pictures.fonts import FONTS, fonts_for
from service.drawing.pictures.player_names import shown_names, told_below


class Telling(NamedTuple):
    """A language, and the texts of a game in it, which follow from the code and the language."""

    language: str
    texts: Texts


@dataclass(frozen=True)
class Drawing:
    """A picture to be drawn: nothing but this decides what it looks like."""

    draw: Drawn  # of a game: from a view to SVG or text
    view: Any
    form: Literal["svg", "png", "txt"]
    names: tuple[str | None, ...] = ()  # of the players, by seat
    width: int | None = None  # in pixels; None for the size at which the game draws it
    words: Telling = Telling(ENGLISH, {})  # noqa: RUF009 - it cannot be changed

    @cached_property
    def digest(self) -> str:
        """The same for the same picture: 16 hex digits."""
        code = (self.draw.__module__, getattr(self.draw, "__qualname__", ""))
        what = (*code, self.form, self.words.language, self.names, self.width, self.view)
        content = msgspec.json.encode(what, order="deterministic")
        return sha256(drawing_code() + content).hexdigest()[:16]


def table_of(
    game: Game[Any],
    view: object,
    form: Literal["svg", "png", "txt"],
    language: str = ENGLISH,
    names: tuple[str | None, ...] = (),
    width: int | None = None,
) -> Drawing:
    """The table of a game as somebody sees it, told in a language."""
    draw = game.text if form == "txt" else game.svg
    return Drawing(draw, view, form, names, width, Telling(language, game.words(language).texts))


def drawn(drawing: Drawing) -> bytes:
    """The picture; letters of a PNG come from the fonts shipped with us."""
    if drawing.form == "txt":
        words = Words(drawing.words.texts)
        return told_below(drawing.draw(drawing.view, words), drawing.names, words).encode()
    names = shown_names(drawing.names, own_fonts=drawing.form == "png")
    picture = drawing.draw(drawing.view, Words(drawing.words.texts, names))
    if drawing.form == "png":
        return png(picture, drawing.width, drawing.words.language)
    return (resized(picture, drawing.width) if drawing.width else picture).encode()


def png(svg: str, width: int | None = None, language: str = ENGLISH) -> bytes:
    """An SVG picture as PNG, `width` pixels wide, by default of its own size, with the letters as
    they are written in a language.
    """
    return svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=fonts_for(language),
        skip_system_fonts=True,
        font_family="Roboto",
        sans_serif_family="Roboto",
    )


@cache
def drawing_code() -> bytes:
    """A hash of all code and texts that have a say in pictures; no tag outlives their change."""
    folders = (Path(domain.__file__).parent, Path(__file__).parent)
    files = [*_files(folders, "*.py"), *_files(folders, "texts/*.json")]
    code = [path.read_bytes() for path in files]
    code += [font.read_bytes() for font in FONTS]
    libraries = [version(name).encode() for name in ("annals", "resvg-py")]
    return sha256(b"\0".join([*code, *libraries])).digest()


def _files(folders: Sequence[Path], pattern: str) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob(pattern))
