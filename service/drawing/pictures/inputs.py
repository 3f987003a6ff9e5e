"""The inputs of a picture, and the function that draws it."""

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
from domain.engine.drawing.layout import Shape, compose
from domain.engine.drawing.svg import resize
from domain.engine.drawing.themes import Theme, recolour
from domain.engine.game import Draw, Game, Renderer
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import Texts
from domain.engine.sentences import Words
from service.drawing.pictures.cover import Cover
from service.drawing.pictures.fonts import FONTS, fonts_for
from service.drawing.pictures.player_names import append_players, fit_names
from service.drawing.pictures.result_card import ResultCard
from service.drawing.pictures.text_lengths import hold_lengths


class GameTexts(NamedTuple):
    """A language, and the texts of a game in it, which follow from the code and the language."""

    language: str
    texts: Texts


@dataclass(frozen=True)
class Drawing:
    """A picture to draw: its fields alone determine the result."""

    render: Draw | Renderer  # of a game: from a view to a picture or text
    view: Any
    form: Literal["svg", "png", "txt"]
    names: tuple[str | None, ...] = ()  # of the players, by seat
    width: int | None = None  # in pixels; None for the size at which the game draws it
    shape: Shape = "wide"
    texts: GameTexts = GameTexts(ENGLISH, {})  # noqa: RUF009 - it cannot be changed
    card: ResultCard | Cover | None = None  # beside the board, in place of all other panels
    reader_is_viewer: bool = True  # the seat that sees the board is the reader's own
    theme: Theme = "standard"

    @cached_property
    def digest(self) -> str:
        """A digest of the inputs and the code: 16 hex digits."""
        code = (self.render.__module__, getattr(self.render, "__qualname__", ""))
        what = (
            *code,
            self.form,
            self.texts.language,
            self.names,
            self.width,
            self.shape,
            self.card,
            self.reader_is_viewer,
            self.theme,
            self.view,
        )
        content = msgspec.json.encode(what, order="deterministic")
        return sha256(code_digest() + content).hexdigest()[:16]


def board_drawing(
    game: Game[Any],
    view: object,
    form: Literal["svg", "png", "txt"],
    language: str = ENGLISH,
    names: tuple[str | None, ...] = (),
    width: int | None = None,
    shape: Shape = "wide",
    reader_is_viewer: bool = True,
    theme: Theme = "standard",
) -> Drawing:
    """Return the table of a game as a view shows it, with texts in a language; it calls the seat
    that sees it `you` only if that is the reader's own.
    """
    draw = game.render_text if form == "txt" else game.draw
    texts = GameTexts(language, game.words(language).texts)
    return Drawing(
        draw,
        view,
        form,
        names,
        width,
        shape,
        texts,
        reader_is_viewer=reader_is_viewer,
        theme=theme,
    )


def draw_picture(drawing: Drawing) -> bytes:
    """Draw the picture; a PNG uses only the fonts that come with the package."""
    names = fit_names(drawing.names, own_fonts=drawing.form == "png")
    called = () if drawing.form == "txt" else names
    words = Words(drawing.texts.texts, called, is_lent=not drawing.reader_is_viewer)
    rendered = drawing.render(drawing.view, words)
    if isinstance(rendered, str):
        return append_players(rendered, drawing.names, words).encode()
    card, shape = drawing.card, drawing.shape
    drawn = card.draw(rendered, words) if card else compose(rendered, shape)
    picture = recolour(drawn, drawing.theme, rendered.palettes)
    if drawing.form == "png":
        return render_png(picture, drawing.width, drawing.texts.language)
    held = hold_lengths(picture)
    return (resize(held, drawing.width) if drawing.width else held).encode()


def render_png(svg: str, width: int | None = None, language: str = ENGLISH) -> bytes:
    """Return an SVG picture as PNG, `width` pixels wide (by default as wide as the SVG), with the
    variants of characters that the language uses.
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
def code_digest() -> bytes:
    """Return a hash of all files that pictures depend on; a change of them changes all ETags."""
    digest = sha256()
    for path in source_files():
        digest.update(path.read_bytes() + b"\0")
    libraries = (version(name).encode() for name in ("annals", "resvg-py"))
    digest.update(b"\0".join(libraries))
    return digest.digest()


def source_files() -> list[Path]:
    """Return the files that pictures depend on: code, texts, data of games, and fonts."""
    folders = (Path(domain.__file__).parent, Path(__file__).parent)
    patterns = ("*.py", "texts/*.json", "data/*.json")
    return [*(path for one in patterns for path in _files(folders, one)), *FONTS]


def _files(folders: Sequence[Path], pattern: str) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob(pattern))
