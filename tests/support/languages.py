"""Texts in several languages, as tests compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Formatter

from domain.engine.resources.texts import Texts

CHINESE = "\u2e80"
"""The CJK range, approximately."""
FORMS = ("_zero", "_one", "_other")
LETTERS = {"zh-Hant": "big5", "zh-Hans": "gb2312"}
"""Encodings with the letters of one form of Chinese, and not of the other."""
QUOTES = {"zh-Hant": "\u201c\u201d\u2018\u2019", "zh-Hans": "\u300c\u300d\u300e\u300f"}
"""Quotation marks of the other form of Chinese."""
IN_NAMES = "\u6607\u73a0\u951c"
"""Letters of personal names that the small encoding of Simplified Chinese lacks."""


def check_texts(texts: Mapping[str, Texts], keys: Iterable[str]) -> None:
    """Check that each language has these texts; MissingText names the file and the key."""
    for key in keys:
        for own in texts.values():
            assert own[key]


def say_the_same(texts: Mapping[str, Texts]) -> None:
    """Check that each language has the texts of English, with the same parts, in its letters."""
    english = _parts_by_key(texts["en"])
    for language, own in texts.items():
        parts = _parts_by_key(own)
        check_texts({language: own}, english.keys() - parts.keys())
        assert parts == english, language
        assert foreign(" ".join(own.values()), language) == "", language


def foreign(text: str, language: str) -> str:
    """The Chinese letters and quotation marks that are wrong in a language; Latin names are always
    allowed.
    """
    known, quotes = LETTERS.get(language, "utf-8"), QUOTES.get(language, "")
    chinese = {one for one in text if one >= CHINESE} - {*IN_NAMES}
    odd = {one for one in chinese if not one.encode(known, "ignore")}
    return "".join(sorted(odd | {*quotes}.intersection(text)))


def _parts_by_key(texts: Texts) -> dict[str, set[str]]:
    """The parts of each text by key, without plural forms, and without those that only choose the
    form of a verb, which Chinese does not have.
    """
    found: dict[str, set[str]] = {}
    for key, text in texts.items():
        base = next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)
        parts = {name for _, name, form, _ in Formatter().parse(text) if name and "|" not in form}
        found.setdefault(base, set()).update(parts)
    return found
