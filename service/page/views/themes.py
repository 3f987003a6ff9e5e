"""The style sheet that gives the boards of a game the theme of the page.

A picture on the page keeps the colours of the standard theme. Each is the value of an attribute,
and the sheet replaces it by a custom property, whose value depends on the theme. So a change of
theme loads and draws nothing again, and whatever has the focus keeps it.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from inspect import getfile
from pathlib import Path
from typing import Any

from flask import Response, request

from domain.engine.drawing import panel
from domain.engine.drawing.themes import colour_in, sharp_at_night
from domain.engine.game import Game
from service.drawing.pictures.cover import sample_view
from service.http.context import annals
from service.page.frame import POLICY, bp

YEAR_S = 365 * 86_400
LITERAL = re.compile(r'"(#[0-9a-fA-F]{3,8})"')
ATTRIBUTES = ("fill", "stroke", "stop-color")


@bp.get("/page/games/<game>.css")
def colours(game: str) -> Response:
    """The style sheet of the boards of a game."""
    sheet, version = make_sheet(annals().game(game))
    is_current = request.args.get("version") == version
    keep = f"public, max-age={YEAR_S}, immutable" if is_current else "no-cache"
    headers = {"Cache-Control": keep, "Content-Security-Policy": POLICY}
    headers["Vary"] = "Accept-Encoding"
    content = sheet.encode()
    if request.accept_encodings["gzip"]:
        content, headers["Content-Encoding"] = gzip.compress(content, mtime=0), "gzip"
    return Response(content, headers=headers, mimetype="text/css")


@cache
def make_sheet(game: Game[Any]) -> tuple[str, str]:
    """The style sheet of a game, and its version."""
    sheet = "".join(_rules(game))
    return sheet, sha256(sheet.encode()).hexdigest()[:16]


def find_colours(game: Game[Any]) -> list[str]:
    """All colours that the code which draws a game can use."""
    folders = {Path(getfile(game.draw)).parent, Path(getfile(panel)).parent}
    sources = (path.read_text(encoding="utf-8") for one in folders for path in one.glob("*.py"))
    return sorted({colour for source in sources for colour in LITERAL.findall(source)})


def _rules(game: Game[Any]) -> Iterator[str]:
    found = find_colours(game)
    own = game.draw(sample_view(game), game.words()).palettes
    by_night = {colour: colour_in("dark", colour, own) for colour in found}
    for colour in found:
        for name in ATTRIBUTES:
            yield f'[{name}="{colour}"]{{{name}:var({_variable(colour)})}}'
    yield _values(":root", {colour: _by_scheme(colour, by_night[colour]) for colour in found})
    sharp = {
        colour: _by_scheme(colour_in("contrast", colour, own), sharp_at_night(colour, own))
        for colour in found
    }
    yield f"@media (prefers-contrast:more){{{_values(':root:root', sharp)}}}"
    yield _values(':root[data-theme="contrast"]', sharp)
    printed = {colour: colour_in("print", colour, own) for colour in found}
    yield f"@media print{{{_values(':root:root', printed)}}}"


def _by_scheme(light: str, dark: str) -> str:
    return light if light == dark else f"light-dark({light},{dark})"


def _values(selector: str, colours: dict[str, str]) -> str:
    return f"{selector}{{{';'.join(f'{_variable(one)}:{to}' for one, to in colours.items())}}}"


def _variable(colour: str) -> str:
    return f"--c{colour[1:]}"
