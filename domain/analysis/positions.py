"""Positions as anybody may know them, under names that are the same for all that are alike.

What a spectator sees is written under all names that the symmetries of the game allow; the least of
these texts stands for all of them. So two positions have the same key if, and as far as anybody
can tell only if, they are the same but for the names of seats and the way up of the board.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json, awaited
from domain.engine.play import Move, Seat
from domain.engine.symmetry import Symmetry

KEY_BYTES = 9
"""How much of a hash makes a key: two in a thousand million positions are hardly ever mixed up."""


class Variant(msgspec.Struct, frozen=True):
    """A game with its setup and a number of seats: what makes positions comparable at all."""

    game: Game[Any]
    setup: Any
    seats: int
    key: str
    symmetries: Sequence[Symmetry]


class Place(msgspec.Struct, frozen=True):
    """A position as anybody may know it: its key, and the symmetries that lead from it to the names
    under which it is kept: several if it looks the same from several sides.
    """

    key: str
    ways: Sequence[Symmetry]


def variant_of(game: Game[Any], setup: Any, seats: int) -> Variant:  # noqa: ANN401  any game's
    """The game as this setup makes it for so many seats."""
    chosen = {
        name: getattr(setup, name)
        for name in setup.__struct_fields__
        if name not in game.immaterial
    }
    key = key_of((game.key, seats, chosen))
    return Variant(game, setup, seats, key, game.symmetries(setup, seats))


def place_of(variant: Variant, state: Any) -> Place:  # noqa: ANN401  any game's
    """The position, which is only read."""
    seen = material(variant.game, variant.game.view(state, None))
    texts: dict[bytes, list[Symmetry]] = {}
    for symmetry in ways_of(variant, awaited(state)):
        texts.setdefault(_text(symmetry.there(seen)), []).append(symmetry)
    least = min(texts)
    return Place(key_of((variant.key, least)), texts[least])


def material(game: Game[Any], view: Any) -> Mapping[str, Any]:  # noqa: ANN401  any game's
    """What of a view can change and makes a difference to play, as JSON values."""
    return {
        name: json_codec.to_json(getattr(view, name))
        for name in view.__struct_fields__
        if name not in game.immaterial and name not in game.lasting
    }


def kept_move(place: Place, move: Json) -> Json:
    """A move as it is kept with the position: under its names, those of the least text."""
    images = [symmetry.there(move) for symmetry in place.ways]
    return min(images, key=_text)


def moves_there(place: Place, kept: Json) -> list[Json]:
    """The moves in a position that are kept as this one: all the same, seen from several sides."""
    found = {_text(image): image for image in (one.back(kept) for one in place.ways)}
    return list(found.values())


def key_of(value: Any) -> str:  # noqa: ANN401  any JSON
    """A short name for a value, the same for ever."""
    digest = blake2b(_text(value), digest_size=KEY_BYTES).digest()
    return urlsafe_b64encode(digest).decode()


def read_kept(game: Game[Any], move: Json) -> Move:
    """A move that was kept."""
    return json_codec.read_move(game, move["seat"], move)


def ways_of(variant: Variant, deciding: Sequence[Seat]) -> Sequence[Symmetry]:
    """The symmetries that lead those who decide to the lowest seats."""
    if len(variant.symmetries) == 1:
        return variant.symmetries
    to = [sorted(symmetry.seats[seat] for seat in deciding) for symmetry in variant.symmetries]
    least = min(to)
    return [one for one, seats in zip(variant.symmetries, to, strict=True) if seats == least]


def _text(value: Any) -> bytes:  # noqa: ANN401  any JSON
    return msgspec.json.encode(value, order="deterministic")
