"""Texts in several languages, as tests compare them."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from domain.engine.sentences import Texts

CHINESE = "\u2e80"
"""The first of them, more or less."""
FORMS = ("_zero", "_one", "_other")
LETTERS = {"zh-Hant": "big5", "zh-Hans": "gb2312"}
"""Encodings that have the letters of a way to write Chinese, and not those of the other."""
QUOTES = {"zh-Hant": "\u201c\u201d\u2018\u2019", "zh-Hans": "\u300c\u300d\u300e\u300f"}
"""Those of the other way to write Chinese."""
IN_NAMES = "\u6607\u73a0\u951c"
"""Letters that the small encoding of Simplified lacks, in names of people who lived."""


def say_the_same(texts: Mapping[str, Texts]) -> None:
    """English is there; others have the same texts with the same parts, in their letters."""
    english = _filled(texts["en"])
    for language, own in texts.items():
        assert _filled(own) == english, language
        assert foreign(" ".join(own.values()), language) == "", language


def foreign(text: str, language: str) -> str:
    """The Chinese letters, and the quotes, of a text that one does not write in a language; names
    in Latin letters may stand anywhere.
    """
    known, quotes = LETTERS.get(language, "utf-8"), QUOTES.get(language, "")
    chinese = {one for one in text if one >= CHINESE} - {*IN_NAMES}
    odd = {one for one in chinese if not one.encode(known, "ignore")}
    return "".join(sorted(odd | {*quotes}.intersection(text)))


def _filled(texts: Texts) -> dict[str, set[str]]:
    """By key without the forms of numbers, the parts of a text."""
    found: dict[str, set[str]] = {}
    for key, text in texts.items():
        base = next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)
        parts = {name for _, name, _, _ in Formatter().parse(text) if name}
        found.setdefault(base, set()).update(parts)
    return found
