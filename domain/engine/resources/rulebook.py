"""The rule book of a game: the whole text, and each rule by its number; and the pages beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from domain.engine.resources.texts import Catalog, folder_of, say_missing

ENGLISH = "en"
RULES, AID, TURN = "RULES", "AID", "TURN"
"""Names of the pages of a game: its rules, its player aid, and how a turn goes."""
TRANSLATION_FILE_NAME = re.compile(r"([A-Z]+)\.([\w-]+)\.md")
"""File name of a translation of a page."""
RULE_NUMBER = re.compile(r"\b[A-Z]{2,}-\d+\.\d+\b")
"""A citation of a rule."""
RULE_SECTION = re.compile(
    r"^#+ ([A-Z]{2,}-\d+\.\d+)\b[^\n]*\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL
)

LINE_BREAK = re.compile("(?<=[\u2e80-\u9fff\uff00-\uffef])\n(?=[\u2e80-\u9fff\uff00-\uffef])")
"""A line break between Chinese letters or punctuation marks, where no space belongs."""


@dataclass(frozen=True)
class Rulebook:
    """The Markdown of a RULES.md, and the text of each rule by its number, such as QIN-4.1."""

    text: str
    rules: Mapping[str, str]


def parse(markdown: str) -> Rulebook:
    """Parse a rule book. A rule is a heading with a number, and the text below it."""
    rules = {
        number: " ".join(join_lines(text).split())
        for number, text in RULE_SECTION.findall(markdown)
    }
    return Rulebook(markdown, rules)


def join_lines(text: str) -> str:
    """A text without line breaks that would read as spaces in Chinese."""
    return LINE_BREAK.sub("", text)


def read(package: str) -> Mapping[str, Rulebook]:
    """The rule books in the folder of a package by language, as `read_pages`."""
    books = {language: parse(text) for language, text in read_pages(package, RULES).items()}
    return Catalog(books, _say_missing_page(package, RULES))


def read_pages(package: str, name: str) -> Mapping[str, str]:
    """The Markdown of a page in the folder of a package by language: `RULES.md` is English,
    `RULES.zh-Hant.md` a translation. Raises FileNotFoundError if there is no English one.
    """
    folder = files(package)
    found = {ENGLISH: folder.joinpath(f"{name}.md").read_text(encoding="utf-8")}
    for file in folder.iterdir():
        translated = TRANSLATION_FILE_NAME.fullmatch(file.name)
        if translated and translated[1] == name:
            found[translated[2]] = file.read_text(encoding="utf-8")
    return Catalog(found, _say_missing_page(package, name))


def _say_missing_page(package: str, name: str) -> Callable[[str], Any]:
    return say_missing(f"There is no file {folder_of(package)}/{name}.{{}}.md.")
