"""The texts of a package in each language, from its files `texts/<language>.json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NoReturn, TypeVar
from unicodedata import east_asian_width

T = TypeVar("T")

Texts = Mapping[str, str]
"""The texts of a language by key, with `{name}` for each part. Where the text depends on a number
(the part `count`), its key ends with `_zero`, `_one` or `_other`, as in i18next. Where a word
depends on whether a part is the reader, it has both forms: `{seat} {seat:moves|move}`, which is
*Ann moves* or *you move*.
"""
TEXTS_FOLDER = "texts"
SHARED = "domain.engine"
"""The package with the texts that all games share."""
NO_NAMES: Texts = {}
MINUS = "\u2212"


class MissingText(KeyError):
    """Something that a person should read is missing; says in which file."""

    def __str__(self) -> str:
        """The sentence, without the quotation marks of a KeyError."""
        return str(self.args[0])


class Catalog(dict[str, T]):
    """Texts by key, or files by language, and a function that is called with a missing key."""

    def __init__(self, entries: Mapping[str, T], if_missing: Callable[[str], T]) -> None:
        super().__init__(entries)
        self._if_missing = if_missing

    def __missing__(self, key: str) -> T:
        return self._if_missing(key)


def say_missing(sentence: str) -> Callable[[str], Any]:
    """A function that raises MissingText with this sentence, in which `{}` stands for the key."""
    return partial(_raise_missing, sentence)


def _raise_missing(sentence: str, key: str) -> NoReturn:
    raise MissingText(sentence.format(key))


def figures(number: float, form: str = "") -> str:
    """A number in this form, with a minus as wide as a digit."""
    return f"{number:{form}}".replace("-", MINUS)


def read(package: str, names: Texts = NO_NAMES) -> Mapping[str, Texts]:
    """The texts of a package by language, with those that all games share.

    `names` are texts for every language that has none of its own for their keys.
    """
    shared, folder = _read_files(SHARED), f"{folder_of(package)}/{TEXTS_FOLDER}"
    texts = {
        language: Catalog(
            {**shared.get(language, {}), **names, **own},
            say_missing(f"{folder}/{language}.json has no text `{{}}`."),
        )
        for language, own in _read_files(package).items()
    }
    return Catalog(texts, say_missing(f"There is no file {folder}/{{}}.json."))


def merge(below: Texts, above: Texts) -> Texts:
    """The texts of both; `above` comes first, and answers for a key that neither has."""
    return Catalog({**below, **above}, above.__getitem__)


def folder_of(package: str) -> str:
    """The folder of a package, as a path in the project."""
    return package.replace(".", "/")


@cache
def _read_files(package: str) -> dict[str, dict[str, str]]:
    """The text files of a package by language code, which is the name of the file: `en.json`."""
    found = files(package).joinpath(TEXTS_FOLDER).iterdir()
    return {
        file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".json")
    }


def distinguish(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """The names by seat; duplicates get the number of their seat."""
    return tuple(
        _with_number(name, seat) if name and names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def _with_number(name: str, seat: int) -> str:
    """A name with the number of its seat, in brackets as wide as its letters."""
    form = "{}（{}）" if east_asian_width(name[-1]) in "WF" else "{} ({})"
    return form.format(name, seat + 1)
