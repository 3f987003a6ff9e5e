"""Bundles: a match in one file, with all that is needed to check it without the service.

docs/audit.md has it field by field.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.audit.errors import Unproven
from domain.audit.texts import Opening

FORMAT = 1
SUFFIX = ".annals.json"


class Line(msgspec.Struct, frozen=True):
    """An entry as everybody can check it."""

    text: str
    head: str  # in hex
    openings: tuple[Opening, ...]
    draws: tuple[tuple[int, int], ...]  # sides and number, once the seed is revealed


class Bundle(msgspec.Struct, frozen=True, rename={"viewer": "as", "format": "bundle"}):
    """A match as a seat, or a spectator, may know it at a version."""

    format: int
    match: str
    game: str
    rules: int  # version of the rules that the program went by that wrote this
    version: int
    head: str  # in hex
    seed_hash: str
    seed: str | None  # in hex, once it is revealed
    salts: str | None  # in hex: what the salts follow from, which is the seed unless that was given
    viewer: int | None  # the seat whose openings these are; None is a spectator
    board: Any  # what lasts all through the match of what anybody sees
    entries: tuple[Line, ...]
    proofs: tuple[str, ...]  # tlog-proofs of leaves of this match, which are their extra data
    keys: tuple[str, ...]  # of the log, as the service tells them


_DECODER = msgspec.json.Decoder(Bundle)


def read_bundle(raw: bytes) -> Bundle:
    """A bundle as it was written; Unproven if it is none."""
    try:
        bundle = _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unproven(f"This is not a bundle of a match: {error}.") from error
    if bundle.format != FORMAT:
        raise Unproven(
            f"This bundle has format {bundle.format}; this program reads format {FORMAT}."
        )
    return bundle
