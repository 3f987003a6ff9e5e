"""Messages as Discord has them: containers of texts, pictures and rows of buttons or menus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from service.channels.chat.markup import cut

Json = dict[str, Any]

EPHEMERAL = 1 << 6
"""A flag: only whoever asked sees the message."""
SILENT = 1 << 12
"""A flag: nobody's device makes a sound."""
V2 = 1 << 15
"""A flag: a message of components alone, which can never be taken off again."""
PONG, MESSAGE, LATER, UPDATE, CHOICES = 1, 4, 5, 7, 8
"""The kinds of first answers."""
BLUE, GREY, GREEN, RED = 1, 2, 3, 4
"""The styles of buttons."""
LONGEST_TEXT = 3_900
"""All texts of a message together; Discord has 4,000."""
LONGEST_ALT = 1_024
LONGEST_LABEL = 100
LONGEST_BUTTON = 80
MOST_OPTIONS = 25
ACCENT = 0x9B59B6
_NOBODY: Json = {"parse": []}


def text(words: str) -> Json:
    """Words, with Discord's Markdown."""
    return {"type": 10, "content": cut(words, LONGEST_TEXT) or "\u2026"}


def picture(name: str, alt: str) -> Json:
    """A picture that comes along as a file of this name, and what it shows in words."""
    media = {"url": f"attachment://{name}"}
    return {"type": 12, "items": [{"media": media, "description": cut(alt, LONGEST_ALT)}]}


def line() -> Json:
    """A line between what is told and what can be done."""
    return {"type": 14}


def row(parts: Sequence[Json]) -> Json:
    """Buttons, or one menu, side by side."""
    return {"type": 1, "components": list(parts)}


def button(label: str, mark: str, style: int = GREY) -> Json:
    """A button."""
    label = cut(label, LONGEST_BUTTON)
    return {"type": 2, "style": style, "label": label, "custom_id": mark}


def link(label: str, url: str) -> Json:
    """A button that opens a page."""
    return {"type": 2, "style": 5, "label": cut(label, LONGEST_BUTTON), "url": url}


def menu(mark: str, prompt: str, options: Iterable[tuple[str, str]]) -> Json:
    """A menu: what to choose, and by which value it is known."""
    shown = [{"label": cut(label, LONGEST_LABEL), "value": value} for label, value in options]
    return {"type": 3, "custom_id": mark, "placeholder": cut(prompt, 150), "options": shown}


def container(parts: Sequence[Json]) -> Json:
    """All that belongs together."""
    return {"type": 17, "accent_color": ACCENT, "components": list(parts)}


def message(parts: Sequence[Json], users: Sequence[str] = (), private: bool = False) -> Json:
    """A message of components; of those it names it calls only these."""
    flags = V2 | EPHEMERAL if private else V2
    allowed = {**_NOBODY, "users": list(users)} if users else _NOBODY
    return {"flags": flags, "components": list(parts), "allowed_mentions": allowed}


def told(words: str, parts: Sequence[Json] = (), update: bool = False) -> Json:
    """A first answer that only the one who asked sees: words, and what can be done."""
    kind = UPDATE if update else MESSAGE
    return {"type": kind, "data": message([text(words), *parts], private=True)}


def later(private: bool) -> Json:
    """A first answer: the message itself comes later."""
    return {"type": LATER, "data": {"flags": EPHEMERAL}} if private else {"type": LATER}


def choices(found: Iterable[tuple[str, str]]) -> Json:
    """A first answer to somebody who types: what it could become, and its value."""
    shown = [{"name": cut(label, LONGEST_LABEL), "value": value} for label, value in found]
    return {"type": CHOICES, "data": {"choices": shown[:MOST_OPTIONS]}}
