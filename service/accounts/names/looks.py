"""How names look to a reader, by the confusable characters of Unicode (UTS 39)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from msgspec import json

LOOKS_VERSION = 2
"""Increase this when names get other looks: those who have a name then get the keys for them.
Version 1 had only the look in capitals.
"""


def looks_of(name: str) -> frozenset[str]:
    """Return one or two texts; a reader may take two names for one another if they share one."""
    return frozenset((look_of(name), written_look_of(name)))


def look_of(name: str) -> str:
    """Return how a name looks in capitals.

    A name stands for its spellings in upper and lower case, so first its capitals are compared,
    which makes `Paul` and `PauI` equal, and then its small letters.
    """
    capitals = _skeleton(_tidy(name).casefold().upper())
    return _skeleton(capitals.casefold())


def written_look_of(name: str) -> str:
    """Return how a name looks as it is written: the small letter of some capitals looks like that
    of another one. A Greek nu looks like `v`, its capital like `N`.
    """
    # Before their marks are apart: the list has composed letters, but no marks.
    composed = normalize("NFC", _tidy(name)).translate(_prototypes())
    return look_of(_skeleton(composed))


def small_look_of(name: str) -> str:
    """Return how a name looks in small letters."""
    return written_look_of(_tidy(name).lower())


def _tidy(name: str) -> str:
    return " ".join(normalize("NFKC", name).split())


def _skeleton(text: str) -> str:
    return normalize("NFD", normalize("NFD", text).translate(_prototypes()))


@cache
def _prototypes() -> Mapping[int, str]:
    """Return the character, or several, that stands for each confusable one."""
    found = json.decode(files(__package__).joinpath("confusables.json").read_bytes())
    return {ord(one): target for target, alike in found["alike"].items() for one in alike}
