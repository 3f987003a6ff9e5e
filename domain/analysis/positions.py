"""Keys of positions that are equal for all positions that look alike.

A spectator's view is written in every orientation that the symmetries of the game allow, and the
smallest of these texts represents it. Two positions have the same key if (and, as far as a
spectator can see, only if) they differ only in the names of seats and the orientation of the board.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json, seats_to_move
from domain.engine.play import Move, Seat
from domain.engine.symmetry import Symmetry

KEY_BYTES = 9
"""Length of the hash in a key. At a billion positions a collision is very unlikely."""


class Variant(msgspec.Struct, frozen=True):
    """A game with its setup and a number of seats: only positions of one variant are comparable."""

    game: Game[Any]
    setup: Any
    seats: int
    key: str
    symmetries: Sequence[Symmetry]


class CanonicalPosition(msgspec.Struct, frozen=True):
    """The key of a position, and the symmetries that lead to its canonical orientation; several if
    the position itself is symmetric.
    """

    key: str
    symmetries: Sequence[Symmetry]


def variant_of(game: Game[Any], setup: Any, seats: int) -> Variant:  # noqa: ANN401  any game's
    """The variant of a game with this setup and number of seats."""
    chosen = {
        name: getattr(setup, name)
        for name in setup.__struct_fields__
        if name not in game.irrelevant_fields
    }
    key = key_of((game.key, seats, chosen))
    return Variant(game, setup, seats, key, game.symmetries(setup, seats))


def canonical_position(variant: Variant, state: Any) -> CanonicalPosition:  # noqa: ANN401  any game's
    """The key of a position. Does not change `state`."""
    seen = relevant_fields(variant.game, variant.game.view(state, None))
    texts: dict[bytes, list[Symmetry]] = {}
    for symmetry in symmetries_for(variant, seats_to_move(state)):
        texts.setdefault(_text(symmetry.forward(seen)), []).append(symmetry)
    least = min(texts)
    return CanonicalPosition(key_of((variant.key, least)), texts[least])


def relevant_fields(game: Game[Any], view: Any) -> Mapping[str, Any]:  # noqa: ANN401  any game's
    """The fields of a view that can change and affect play, as JSON values."""
    return {
        name: json_codec.to_json(getattr(view, name))
        for name in view.__struct_fields__
        if name not in game.irrelevant_fields and name not in game.static_view_fields
    }


def canonical_move(place: CanonicalPosition, move: Json) -> Json:
    """The move in the canonical orientation of its position."""
    images = [symmetry.forward(move) for symmetry in place.symmetries]
    return min(images, key=_text)


def moves_like(place: CanonicalPosition, canonical: Json) -> list[Json]:
    """The moves in a position with this canonical move; several if the position is symmetric."""
    found = {_text(image): image for image in (one.backward(canonical) for one in place.symmetries)}
    return list(found.values())


def key_of(value: Any) -> str:  # noqa: ANN401  any JSON
    """A short, permanent hash of a value."""
    digest = blake2b(_text(value), digest_size=KEY_BYTES).digest()
    return urlsafe_b64encode(digest).decode()


def read_canonical_move(game: Game[Any], move: Json) -> Move:
    """Decode a canonical move."""
    return json_codec.read_move(game, move["seat"], move)


def symmetries_for(variant: Variant, deciding: Sequence[Seat]) -> Sequence[Symmetry]:
    """The symmetries that move the deciding seats to the lowest numbers."""
    if len(variant.symmetries) == 1:
        return variant.symmetries
    to = [sorted(symmetry.seats[seat] for seat in deciding) for symmetry in variant.symmetries]
    least = min(to)
    return [one for one, seats in zip(variant.symmetries, to, strict=True) if seats == least]


def _text(value: Any) -> bytes:  # noqa: ANN401  any JSON
    return msgspec.json.encode(value, order="deterministic")
