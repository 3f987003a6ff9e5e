"""Texts in several languages, as tests compare them."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from domain.engine.telling import Texts

CHINESE = "\u2e80"
"""The first of them, more or less."""
FORMS = ("_zero", "_one", "_other")
LETTERS = {"zh-Hant": "big5", "zh-Hans": "gb2312"}
"""Encodings that have the letters of a way to write Chinese, and not those of the other."""
IN_NAMES = "\u6607\u73a0\u951c"
"""Letters that the small encoding of Simplified lacks, in names of people who lived."""


def say_the_same(texts: Mapping[str, Texts]) -> None:
    """English is there; others have the same texts with the same parts, in their letters."""
    english = _filled(texts["en"])
    for language, own in texts.items():
        assert _filled(own) == english, language
        assert foreign(" ".join(own.values()), language) == "", language


def foreign(text: str, language: str) -> str:
    """The Chinese letters of a text that one does not write in a language; names in Latin ones may
    stand anywhere.
    """
    known = LETTERS.get(language, "utf-8")
    chinese = {one for one in text if one >= CHINESE} - {*IN_NAMES}
    return "".join(sorted(one for one in chinese if not one.encode(known, "ignore")))


def _filled(texts: Texts) -> dict[str, set[str]]:
    """By key without the forms of numbers, the parts of a text."""
    found: dict[str, set[str]] = {}
    for key, text in texts.items():
        base = next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)
        parts = {name for _, name, _, _ in Formatter().parse(text) if name}
        found.setdefault(base, set()).update(parts)
    return found
