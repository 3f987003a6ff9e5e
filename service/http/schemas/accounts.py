"""Schemas of requests about accounts, as the components of openapi.yaml have them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.accounts.tokens import NAMED_SCOPES
from service.http.schemas.common import JsonBool, JsonInt, Strict

NAME_RULE = (
    "Expected 1 to 32 letters, digits, `_`, spaces, `.`, `'` and `-`, the first and the last of "
    "which are letters, digits or `_`."
)
NAME = r"(?!.*[\u115f\u1160])\w([\w .'-]{0,30}\w)?\Z"
"""Excludes the fillers of Hangul: they count as letters but are invisible."""


class Name(fields.String):
    """A name; NFKC makes look-alikes of a character equal before it is validated."""

    def _deserialize(self, value: object, *rest: Any, **more: Any) -> str:  # noqa: ANN401 - passed on
        return unicodedata.normalize("NFKC", super()._deserialize(value, *rest, **more))


class NewPlayer(Strict):
    """The name of a new player, and whether they are a guest."""

    name = Name(required=True, validate=validate.Regexp(NAME, error=NAME_RULE))
    guest = JsonBool()


class NewName(Strict):
    """A new name for a player."""

    name = Name(required=True, validate=validate.Regexp(NAME, error=NAME_RULE))


class DiscordCode(Strict):
    """The code that Discord shows to link an account."""

    code = fields.String(required=True, validate=validate.Length(1, 40))


class RecoveryRequest(Strict):
    """The name of a player, and one of their recovery codes."""

    name = fields.String(required=True, validate=validate.Length(1, 40))
    code = fields.String(required=True, validate=validate.Length(1, 60))


class NewSession(Strict):
    """A token, or a code from another browser, to sign this browser in."""

    token = fields.String(validate=validate.Length(1, 100))
    code = fields.String(validate=validate.Length(1, 40))

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError unless there is exactly one."""
        if len(data) != 1:
            raise ValidationError("Expected exactly one of `token` and `code`.")


class NewToken(Strict):
    """The name, scopes and lifetime of a new token."""

    name = fields.String(required=True, validate=validate.Length(1, 60))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(NAMED_SCOPES)),
        required=True,
        validate=validate.Length(1, 3),
    )
    expires_in_s = JsonInt(validate=validate.Range(60, 366 * 86_400), allow_none=True)


ACCOUNT_BODIES: tuple[type[Schema], ...] = (
    NewPlayer, NewName, DiscordCode, RecoveryRequest, NewSession, NewToken,
)  # fmt: skip
