"""Worked examples of rules: what they show, and their pictures."""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from typing import Any

from domain.engine.contract.refusals import describe_refusal
from domain.engine.drawing.layout import compose
from domain.engine.drawing.themes import Palettes
from domain.engine.game import Game, seats_to_move
from domain.engine.resources.examples import Example
from domain.engine.starting.run_example import run_example
from service.drawing.pictures.text_lengths import hold_lengths
from service.runtime.errors import NotFound

MAX_PICTURES = 1_000
"""Number of pictures in the cache, each of some kB; all games together have a few hundred."""


@cache
def describe_example(game: Game[Any], key: str, language: str) -> tuple[str, str | None]:
    """Return what an example shows, and why its last move is refused, or None if it is legal."""
    words, refusal = game.words(language), run_example(game, _find_example(game, key)).refusal
    return words(f"example_{key}"), words.say(describe_refusal(refusal)) if refusal else None


def draw_example(game: Game[Any], key: str, after: bool, language: str) -> tuple[str, Palettes]:
    """Return the picture of an example before or after its moves, as the seat that moves first sees
    it, and the colours of its game. Raises NotFound.
    """
    compressed, palettes = _compress_picture(game, key, after, language)
    return gzip.decompress(compressed).decode(), palettes


@lru_cache(MAX_PICTURES)
def _compress_picture(
    game: Game[Any], key: str, after: bool, language: str
) -> tuple[bytes, Palettes]:
    example = _find_example(game, key)
    found = run_example(game, example)
    first = example.moves[0].get("seat", seats_to_move(found.before)[0])
    view = game.view(found.after if after else found.before, first)
    picture = game.draw(view, game.words(language))
    return gzip.compress(hold_lengths(compose(picture)).encode()), picture.palettes


def _find_example(game: Game[Any], key: str) -> Example:
    found = next((one for one in game.resources.examples if one.key == key), None)
    if found is None:
        raise NotFound("There is no such example.")
    return found
