"""The schemas of what players plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from marshmallow import ValidationError, fields, validate, validates_schema

from service.http.schemas.common import JsonBool, Strict

MAX_MOVES = 10
"""Maximum number of moves that a player plans for a match."""
MAX_POINTERS = 20
"""Maximum number of pointers of a planned move."""
MAX_MOVE_BYTES = 2_000
"""Maximum size of a planned move with its pointers, as JSON."""


class NewForcedMoves(Strict):
    """Whether forced moves of a player play themselves."""

    automatic = JsonBool(required=True)


class NewMatchForcedMoves(Strict):
    """Whether forced moves of a player play themselves in a match; null as their account says."""

    automatic = JsonBool(required=True, allow_none=True)


class PlannedMove(Strict):
    """A move, and JSON pointers to what in the view of a spectator must not change before it."""

    move = fields.Dict(keys=fields.String(), required=True)
    unchanged = fields.List(
        fields.String(), load_default=list, validate=validate.Length(0, MAX_POINTERS)
    )

    @validates_schema(pass_original=True)
    def check_size(self, _data: object, original: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError if it takes too many bytes."""
        if len(msgspec.json.encode(original)) > MAX_MOVE_BYTES:
            raise ValidationError(f"A planned move has at most {MAX_MOVE_BYTES} bytes.")


class NewPlan(Strict):
    """The moves that a player plans, in order."""

    moves = fields.List(
        fields.Nested(PlannedMove), required=True, validate=validate.Length(1, MAX_MOVES)
    )
