"""Names that the service gives to players, in the language of their reader: those of guests and of
deleted players. They are stored in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import read

TEXTS = read(__package__)
DELETED_NAME = TEXTS[ENGLISH]["deleted"]
"""The stored name of all deleted players."""
_MARK = r"(?P<mark>[0-9A-Fa-f]{6})"


def name_in(name: str, language: str) -> str:
    """Return a stored name as readers of a language know it."""
    return name if language == ENGLISH else _translate(name, language)


def stored_name(name: str) -> str:
    """Return the form in which a name is stored, if the service gives it in any language."""
    return _translate(name, ENGLISH)


def _list_forms() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield each name in each language: its key and a pattern."""
    for texts in TEXTS.values():
        for key in ("guest", "deleted"):
            words = texts[key].replace(" ", "").replace("{mark}", f" ?{_MARK}")
            yield key, re.compile(words, re.IGNORECASE)


_FORMS = tuple(_list_forms())


def _translate(name: str, language: str) -> str:
    for key, form in _FORMS:
        if found := form.fullmatch(name):
            parts = {part: mark.upper() for part, mark in found.groupdict().items()}
            return TEXTS[language][key].format_map(parts)
    return name
