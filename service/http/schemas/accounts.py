"""Schemas of what clients send about accounts, as the components of openapi.yaml have them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.accounts.tokens import NAMED_SCOPES
from service.http.schemas.common import JsonInt, Strict

NAME_RULE = (
    "Expected 1 to 32 letters, digits, `_`, spaces, `.`, `'` and `-`, the first and the last of "
    "which are letters, digits or `_`."
)
NAME = r"(?!.*[\u115f\u1160])\w([\w .'-]{0,30}\w)?\Z"
"""Not the fillers of Hangul: they count as letters, and nobody sees them."""


class Name(fields.String):
    """A name, with look-alikes of the same characters made one (NFKC) before it is judged."""

    def _deserialize(self, value: object, *rest: Any, **more: Any) -> str:  # noqa: ANN401 - passed on
        return unicodedata.normalize("NFKC", super()._deserialize(value, *rest, **more))


class NewPlayer(Strict):
    """A name for a new player."""

    name = Name(required=True, validate=validate.Regexp(NAME, error=NAME_RULE))


class NewName(Strict):
    """Another name for a player."""

    name = Name(required=True, validate=validate.Regexp(NAME, error=NAME_RULE))


class DiscordCode(Strict):
    """A code that somebody was shown in Discord."""

    code = fields.String(required=True, validate=validate.Length(1, 40))


class Recovery(Strict):
    """Whose token is lost, and one of their recovery codes."""

    name = fields.String(required=True, validate=validate.Length(1, 40))
    code = fields.String(required=True, validate=validate.Length(1, 60))


class NewSession(Strict):
    """Who the browser is to be signed in as: whose token it is, or who was given a code."""

    token = fields.String(validate=validate.Length(1, 100))
    code = fields.String(validate=validate.Length(1, 40))

    @validates_schema
    def one_of_them(self, data: Mapping[str, Any], **_: object) -> None:
        """One of both says who."""
        if len(data) != 1:
            raise ValidationError("Say either `token` or `code`.")


class NewToken(Strict):
    """What a token is for, and after how many seconds it ends."""

    name = fields.String(required=True, validate=validate.Length(1, 60))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(NAMED_SCOPES)),
        required=True,
        validate=validate.Length(1, 3),
    )
    expires_in_s = JsonInt(validate=validate.Range(60, 366 * 86_400), allow_none=True)


ACCOUNT_BODIES: tuple[type[Schema], ...] = (
    NewPlayer, NewName, DiscordCode, Recovery, NewSession, NewToken,
)  # fmt: skip
