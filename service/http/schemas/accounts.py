"""Schemas of requests about accounts, as the components of openapi.yaml have them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.engine.sentences import LANGUAGES
from service.accounts.tokens import NAMED_SCOPES
from service.channels.mail.kinds import KINDS
from service.channels.push.encryption import AUTH_BYTES, from_base64url, read_public_key
from service.channels.push.kinds import KINDS as PUSH_KINDS
from service.http.schemas.common import JsonBool, JsonInt, Strict
from service.runtime.address_guard import MAX_URL_CHARS
from service.runtime.config.checks import MAX_ADDRESS_CHARS, mail_address

NAME_RULE = (
    "Expected 1 to 32 letters, digits, `_`, spaces, `.`, `'` and `-`, the first and the last of "
    "which are letters, digits or `_`."
)
NAME = r"(?!.*[\u115f\u1160])\w([\w .'-]{0,30}\w)?\Z"
"""Excludes the fillers of Hangul: they count as letters but are invisible."""

PUBLIC_DOMAIN = r".+\.(?=[^.]*[A-Za-z])[^.]+"
"""A domain that others have too: a name such as `localhost`, or an IP address, is none."""
RELAY_SIGNS = frozenset("%!|/")
"""What some servers read as another address, a command or a file."""
TIME_ZONE = r"[A-Za-z][A-Za-z0-9_+/-]{0,63}\Z"
"""A name as the database of time zones has it, such as `Asia/Shanghai`."""

P256DH, AUTH = r"[A-Za-z0-9_-]{87}=?\Z", r"[A-Za-z0-9_-]{22}(==)?\Z"
BASE64URL_RULE = "Expected base64url."


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


def check_mail_address(address: str) -> None:
    """Raise ValidationError for what is no address, or none of another machine."""
    local, _, domain = address.rpartition("@")
    is_public = re.fullmatch(PUBLIC_DOMAIN, domain) and not set(local) & RELAY_SIGNS
    if not is_public or mail_address(address):
        raise ValidationError("Expected an address such as `name@example.com`, in ASCII.")


class NewMail(Strict):
    """Where a player wants mail, about what, and how it is written."""

    address = fields.String(
        required=True, validate=[validate.Length(1, MAX_ADDRESS_CHARS), check_mail_address]
    )
    kinds = fields.List(
        fields.String(validate=validate.OneOf(KINDS)), validate=validate.Length(max=len(KINDS))
    )
    language = fields.String(validate=validate.OneOf(list(LANGUAGES)))
    time_zone = fields.String(validate=validate.Regexp(TIME_ZONE, error="Expected a time zone."))


def check_p256dh(text: str) -> None:
    """Raise ValidationError for what is no public key of a browser."""
    try:
        read_public_key(from_base64url(text))
    except ValueError as error:
        raise ValidationError("Expected a point of P-256 in base64url, of 65 bytes.") from error


def check_auth(text: str) -> None:
    """Raise ValidationError for what is no secret of a browser."""
    try:
        is_secret = len(from_base64url(text)) == AUTH_BYTES
    except ValueError:
        is_secret = False
    if not is_secret:
        raise ValidationError(f"Expected {AUTH_BYTES} bytes in base64url.")


class PushKeys(Strict):
    """How to encrypt messages for a browser."""

    p256dh = fields.String(
        required=True, validate=[validate.Regexp(P256DH, error=BASE64URL_RULE), check_p256dh]
    )
    auth = fields.String(
        required=True, validate=[validate.Regexp(AUTH, error=BASE64URL_RULE), check_auth]
    )


class NewPushSubscription(Strict):
    """The subscription of a browser, as it writes it, and about what it notifies its player."""

    endpoint = fields.String(required=True, validate=validate.Length(1, MAX_URL_CHARS))
    keys = fields.Nested(PushKeys, required=True)
    kinds = fields.List(
        fields.String(validate=validate.OneOf(PUSH_KINDS)),
        validate=validate.Length(max=len(PUSH_KINDS)),
    )
    language = fields.String(validate=validate.OneOf(list(LANGUAGES)))


ACCOUNT_BODIES: tuple[type[Schema], ...] = (
    NewPlayer, NewName, DiscordCode, RecoveryRequest, NewSession, NewToken, NewMail,
    NewPushSubscription,
)  # fmt: skip
