"""The rule book of a game: the whole text, and each rule by its number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from domain.engine.resources.texts import Catalog, folder_of, say_missing

ENGLISH = "en"
TRANSLATION_FILE_NAME = re.compile(r"RULES\.([\w-]+)\.md")
"""File name of a translation of the rule book."""
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
    """The rule books in the folder of a package by language: `RULES.md` is English,
    `RULES.zh-Hant.md` a translation. Raises FileNotFoundError if there is no English one.
    """
    folder = files(package)
    english = folder.joinpath("RULES.md").read_text(encoding="utf-8")
    found = {ENGLISH: parse(english)}
    for file in folder.iterdir():
        if language := TRANSLATION_FILE_NAME.fullmatch(file.name):
            found[language[1]] = parse(file.read_text(encoding="utf-8"))
    return Catalog(found, say_missing(f"There is no file {folder_of(package)}/RULES.{{}}.md."))
