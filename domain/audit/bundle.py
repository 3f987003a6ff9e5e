"""Bundles: a match in one file, with everything needed to verify it without the service.

docs/audit.md describes each field.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.audit.errors import Unproven
from domain.audit.texts import Opening

FORMAT = 1
SUFFIX = ".annals.json"


class BundleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry in a form that everyone can verify."""

    text: str
    head: str  # in hex
    openings: tuple[Opening, ...]
    draws: tuple[tuple[int, int], ...]  # sides and number of each; after the seed is revealed


class Bundle(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"viewer": "as", "format": "bundle"},
):
    """A match at a version, as a seat or a spectator may know it."""

    format: int
    match: str
    game: str
    rules: int  # version of the rules in the program that wrote the bundle
    version: int
    head: str  # in hex
    seed_hash: str
    seed: str | None  # in hex, once it is revealed
    salts: str | None  # in hex: the key of the salts; it is the seed unless the host supplied that
    viewer: int | None  # the seat whose openings it contains; None if they are those of all
    board: Any  # the part of a spectator's view that never changes
    entries: tuple[BundleEntry, ...]
    proofs: tuple[str, ...]  # tlog-proofs; the extra data of each is a leaf of this match
    keys: tuple[str, ...]  # public keys of the log, according to the service


_DECODER = msgspec.json.Decoder(Bundle)


def read_bundle(raw: bytes) -> Bundle:
    """Decode a bundle. Raises Unproven if it is not one."""
    try:
        bundle = _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unproven(f"This is not a bundle of a match: {error}.") from error
    if bundle.format != FORMAT:
        raise Unproven(
            f"This bundle has format {bundle.format}; this program reads format {FORMAT}."
        )
    return bundle
