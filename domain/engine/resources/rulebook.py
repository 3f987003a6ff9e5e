"""The rule book of a game: its text, and each rule by its number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

ENGLISH = "en"
TRANSLATED = re.compile(r"RULES\.([\w-]+)\.md")
"""What the rule book is called in a language that is not English."""
NUMBER = re.compile(r"\b[A-Z]{2,}-\d+\.\d+\b")
"""The number of a rule where it is cited."""
RULE = re.compile(r"^#+ ([A-Z]{2,}-\d+\.\d+)\b[^\n]*\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Rulebook:
    """The text of a RULES.md, as Markdown, and of each rule by its number, such as QIN-4.1."""

    text: str
    rules: Mapping[str, str]


def parse(markdown: str) -> Rulebook:
    """A rule book from its text; a rule is a heading with a number and the text below it."""
    rules = {number: " ".join(text.split()) for number, text in RULE.findall(markdown)}
    return Rulebook(markdown, rules)


def read(package: str) -> dict[str, Rulebook]:
    """The rule book in the folder of a package by language: `RULES.md` is the English one,
    `RULES.zh-Hant.md` another. FileNotFoundError if there is no English one.
    """
    folder = files(package)
    english = folder.joinpath("RULES.md").read_text(encoding="utf-8")
    found = {ENGLISH: parse(english)}
    for file in folder.iterdir():
        if language := TRANSLATED.fullmatch(file.name):
            found[language[1]] = parse(file.read_text(encoding="utf-8"))
    return found
