"""Discord message components: containers of texts, pictures and rows of buttons or menus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from service.channels.chat.markup import truncate
from service.channels.chat.multipart import MAX_ALT_CHARS

Json = dict[str, Any]

EPHEMERAL = 1 << 6
"""Message flag: visible only to the sender of the interaction."""
SILENT = 1 << 12
"""Message flag: no notification sound."""
V2 = 1 << 15
"""Message flag: the message consists of components; an edit cannot remove the flag."""
PONG, MESSAGE, LATER, UPDATE, CHOICES = 1, 4, 5, 7, 8
"""The kinds of first answers."""
BLUE, GREY, GREEN, RED = 1, 2, 3, 4
"""The styles of buttons."""
MAX_TEXT_CHARS = 3_900
"""All texts of a message together; Discord allows 4,000."""
MAX_LABEL_CHARS = 100
MAX_BUTTON_CHARS = 80
MAX_MENU_OPTIONS = 25
ACCENT = 0x9B59B6
_NO_MENTIONS: Json = {"parse": []}


def text(words: str) -> Json:
    """Return a text with Discord's Markdown."""
    return {"type": 10, "content": truncate(words, MAX_TEXT_CHARS) or "\u2026"}


def picture(name: str, alt: str) -> Json:
    """Return a picture from an attached file, with its alternative text."""
    media = {"url": f"attachment://{name}"}
    return {"type": 12, "items": [{"media": media, "description": truncate(alt, MAX_ALT_CHARS)}]}


def separator() -> Json:
    """Return a line between the text and the buttons."""
    return {"type": 14}


def row(parts: Sequence[Json]) -> Json:
    """Buttons, or one menu, side by side."""
    return {"type": 1, "components": list(parts)}


def button(label: str, custom_id: str, style: int = GREY) -> Json:
    """Return a button."""
    label = truncate(label, MAX_BUTTON_CHARS)
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id}


def link(label: str, url: str) -> Json:
    """Return a button that opens a page."""
    return {"type": 2, "style": 5, "label": truncate(label, MAX_BUTTON_CHARS), "url": url}


def menu(custom_id: str, prompt: str, options: Iterable[tuple[str, str]]) -> Json:
    """Return a menu with options as labels and values."""
    shown = [
        {"label": truncate(label, MAX_LABEL_CHARS), "value": value} for label, value in options
    ]
    return {
        "type": 3,
        "custom_id": custom_id,
        "placeholder": truncate(prompt, 150),
        "options": shown,
    }


def container(parts: Sequence[Json]) -> Json:
    """Return a container of components."""
    return {"type": 17, "accent_color": ACCENT, "components": list(parts)}


def message(parts: Sequence[Json], mentions: Sequence[str] = (), private: bool = False) -> Json:
    """Return a message of components that mentions only these users."""
    flags = V2 | EPHEMERAL if private else V2
    allowed = {**_NO_MENTIONS, "users": list(mentions)} if mentions else _NO_MENTIONS
    return {"flags": flags, "components": list(parts), "allowed_mentions": allowed}


def private_answer(words: str, parts: Sequence[Json] = (), update: bool = False) -> Json:
    """Return a first answer that only the sender sees, with text and further components."""
    kind = UPDATE if update else MESSAGE
    return {"type": kind, "data": message([text(words), *parts], private=True)}


def defer_answer(private: bool) -> Json:
    """Return a first answer whose message follows later."""
    return {"type": LATER, "data": {"flags": EPHEMERAL}} if private else {"type": LATER}


def autocomplete_answer(choices: Iterable[tuple[str, str]]) -> Json:
    """Return a first answer to autocompletion: labels and values, at most 25."""
    shown = [{"name": truncate(label, MAX_LABEL_CHARS), "value": value} for label, value in choices]
    return {"type": CHOICES, "data": {"choices": shown[:MAX_MENU_OPTIONS]}}
