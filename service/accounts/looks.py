"""How names look to a reader, by the confusable characters of Unicode (UTS 39)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from msgspec import json


def look_of(name: str) -> str:
    """Return a text that is the same for all names that a reader may take for one another.

    A name stands for its spellings in upper and lower case, so first its capitals are compared,
    which makes `Paul` and `PauI` equal, and then its small letters.
    """
    capitals = _skeleton(" ".join(normalize("NFKC", name).split()).casefold().upper())
    return _skeleton(capitals.casefold())


def small_look_of(name: str) -> str:
    """Return what is the same for names whose small letters alone look alike, such as `admin` and
    a Greek sigma in `operator`, whose capitals differ.
    """
    return _skeleton(normalize("NFKC", name).lower())


def _skeleton(text: str) -> str:
    return normalize("NFD", normalize("NFD", text).translate(_prototypes()))


@cache
def _prototypes() -> Mapping[int, str]:
    """Return the character, or several, that stands for each confusable one."""
    found = json.decode(files(__package__).joinpath("confusables.json").read_bytes())
    return {ord(one): target for target, alike in found["alike"].items() for one in alike}
