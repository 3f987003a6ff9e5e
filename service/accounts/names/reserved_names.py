"""Names that players cannot take: readers would take them for a bot, a deleted player, the service
or one of its operators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any
from unicodedata import normalize

from msgspec import json

from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from service.accounts.house import HouseRecord
from service.accounts.names.given_names import DELETED_NAME
from service.accounts.names.looks import look_of, looks_of, small_look_of, written_look_of

_NUMBERS = re.compile(r"^[\W\d_]+|[\W\d_]+$")
"""Digits and punctuation at the ends of a name; some digits in it stand for letters."""
Look = Callable[[str], str]
_LOOKS: tuple[Look, ...] = (look_of, written_look_of, small_look_of)


class ReservedNames:
    """Decides which names no player can take, and which only operators can."""

    def __init__(self, looks: Set[str] = frozenset(), house: HouseRecord | None = None) -> None:
        self._looks = {*looks_of(DELETED_NAME), *looks}
        self._house = house

    def has(self, name: str) -> bool:
        """Return whether no player can take this name, because it looks like that of a bot or of a
        deleted player.
        """
        return not looks_of(name).isdisjoint(self._looks)

    def is_for_operators(self, name: str) -> bool:
        """Return whether this name is made of words for operators and the service, such as
        `Admin`, `The Annals Team 2` and `Adm1n`, in any language, or is the name of the house, with
        or without such words.
        """
        house = self._house.read().name if self._house else ""
        return any(_sounds_official(name, house, look) for look in _LOOKS)


def looks_of_bots(games: Iterable[Game[Any]]) -> Set[str]:
    """Return the looks of all names of bots."""
    return frozenset().union(*map(_looks_of_bots, games))


def warm_up(games: Iterable[Game[Any]]) -> None:
    """Compute now what each process needs to know reserved names."""
    looks_of_bots(games)
    for look in _LOOKS:
        _words(look)


@cache
def _looks_of_bots(game: Game[Any]) -> Set[str]:
    """Return the looks of the names of a game's bots in all languages."""
    names = (game.bot_names(language).values() for language in LANGUAGES)
    return frozenset().union(*map(looks_of, chain.from_iterable(names)))


def _sounds_official(name: str, house: str, look: Look) -> bool:
    roles, fillers = _words(look)
    letters_of_house = _letters(house, look)
    roles = {*roles, letters_of_house} if letters_of_house else roles
    trimmed = (_NUMBERS.sub("", name), name.rstrip("0123456789"), name.lstrip("0123456789"))
    return any(_is_made_of(_letters(one, look), roles, fillers) for one in {name, *trimmed})


def _is_made_of(letters: str, roles: Set[str], fillers: Set[str]) -> bool:
    """Return whether letters are a sequence of these words, one of which names a role. The time
    grows with their number only, however the words can be cut.
    """
    ends, official = {0}, set[int]()
    for start in range(len(letters)):
        for word in chain(roles, fillers) if start in ends else ():
            if letters.startswith(word, start):
                ends.add(end := start + len(word))
                if word in roles or start in official:
                    official.add(end)
    return len(letters) in official


@cache
def _words(look: Look) -> tuple[Set[str], Set[str]]:
    """Return the letters of words for a role, and of those that stand beside them."""
    found = json.decode(files(__package__).joinpath("reserved_words.json").read_bytes())
    roles, fillers = (
        frozenset(_letters(word, look) for word in chain(*found[kind].values()))
        for kind in ("roles", "fillers")
    )
    return roles, fillers - roles


def _letters(name: str, look: Look) -> str:
    """Return how a name looks without marks, spaces, digits and punctuation."""
    return "".join(one for one in normalize("NFD", look(name)) if one.isalpha())
