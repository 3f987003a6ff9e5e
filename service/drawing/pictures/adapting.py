"""Pictures that choose their theme themselves, by what the reader's device or page asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from domain.engine.drawing.svg import style_sheet
from domain.engine.drawing.themes import COLOUR, Palettes, colour_in, sharp_at_night

_NIGHT, _MORE, _PAPER = "(prefers-color-scheme:dark)", "(prefers-contrast:more)", "print"
_AFTER = "</desc>"


def adapt(picture: str, own: Palettes, *, is_sharp: bool = False) -> str:
    """The picture with a style sheet, for an image in a page: `own` are the colours of its game.
    With `is_sharp` it always has high contrast, as a reader can choose in the settings. A renderer
    without conditional style sheets shows the standard theme.
    """
    themes = dict(_themes("all" if is_sharp else _MORE, own))
    changed = [
        (name, colour)
        for name, colour in dict.fromkeys(COLOUR.findall(picture))
        if any(change(colour) != colour for change in themes.values())
    ]
    sheet = "".join(_rules(changed, condition, change) for condition, change in themes.items())
    return picture.replace(_AFTER, f"{_AFTER}{style_sheet(sheet)}", 1)


def _themes(more: str, own: Palettes) -> Iterator[tuple[str, Callable[[str], str]]]:
    """When a picture has other colours, and which; the last condition that holds decides."""
    yield _NIGHT, lambda colour: colour_in("dark", colour, own)
    yield more, lambda colour: colour_in("contrast", colour, own)
    yield f"{more} and {_NIGHT}", lambda colour: sharp_at_night(colour, own)
    yield _PAPER, lambda colour: colour_in("print", colour, own)


def _rules(changed: Iterable[tuple[str, str]], condition: str, change: Callable[[str], str]) -> str:
    rules = (f"[{name}='{colour}']{{{name}:{change(colour)}}}" for name, colour in changed)
    return f"@media {condition}{{{''.join(rules)}}}"
