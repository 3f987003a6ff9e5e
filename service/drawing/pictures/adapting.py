"""Pictures that choose their theme themselves, by what the reader's device or page asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.svg import style_sheet
from domain.engine.drawing.themes import COLOUR, Palette, Theme, colour_in

_CONDITIONS: dict[str, Theme] = {
    "(prefers-color-scheme:dark)": "dark",
    "(prefers-contrast:more)": "contrast",
    "print": "print",
}
"""The last that holds decides."""
_AFTER = "</desc>"


def adapt(picture: str, dark: Palette) -> str:
    """The picture with a style sheet, for an image in a page: `dark` are the colours of its game in
    the dark. A renderer without conditional style sheets shows the standard theme.
    """
    used = dict.fromkeys(COLOUR.findall(picture))
    sheet = "".join(_rules(used, dark))
    return picture.replace(_AFTER, f"{_AFTER}{style_sheet(sheet)}", 1)


def _rules(used: Iterable[tuple[str, str]], dark: Palette) -> Iterator[str]:
    for condition, theme in _CONDITIONS.items():
        changed = ((name, colour, colour_in(theme, colour, dark)) for name, colour in used)
        rules = (
            f"[{name}='{colour}']{{{name}:{to}}}" for name, colour, to in changed if to != colour
        )
        yield f"@media {condition}{{{''.join(rules)}}}"
