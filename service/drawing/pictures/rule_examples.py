"""Worked examples of rules as people see them: what each tells, and its pictures."""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from typing import Any

from domain.engine.game import Game, awaited, refuse
from domain.engine.resources.examples import Example
from domain.engine.run_example import course
from service.runtime.errors import NotFound

MOST = 1_000
"""So many pictures are kept, each of some kB; all games together have a few hundred."""


@cache
def told(game: Game[Any], key: str, language: str) -> tuple[str, str | None]:
    """What an example shows, and why its last move is refused; None if it is not."""
    words, refusal = game.words(language), course(game, _example(game, key)).refusal
    return words(f"example_{key}"), words.say(refuse(refusal)) if refusal else None


def drawn(game: Game[Any], key: str, after: bool, language: str) -> str:
    """The picture of an example before its moves or after them, as whoever moves first sees it;
    NotFound if there is no such example.
    """
    return gzip.decompress(_packed(game, key, after, language)).decode()


@lru_cache(MOST)
def _packed(game: Game[Any], key: str, after: bool, language: str) -> bytes:
    example = _example(game, key)
    found = course(game, example)
    first = example.moves[0].get("seat", awaited(found.before)[0])
    view = game.view(found.after if after else found.before, first)
    return gzip.compress(game.svg(view, game.words(language)).encode())


def _example(game: Game[Any], key: str) -> Example:
    found = next((one for one in game.examples if one.key == key), None)
    if found is None:
        raise NotFound("There is no such example.")
    return found
