"""Schemas of requests to read and write messages about a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate, validates_schema

from service.http.schemas.admin import MAX_REASON_CHARS
from service.http.schemas.common import (
    DEFAULT_PAGE_SIZE,
    MAX_INT,
    MAX_PAGE_SIZE,
    JsonInt,
    LanguageQuery,
    QueryInt,
    Strict,
    version_number,
)
from service.talk.messages import MAX_TEXT_CHARS, PHRASES, clean_text
from service.talk.speakers import MAX_MUTE_DAYS

NOTHING_SEEN = "Expected a text that is seen."


class RoomQuery(LanguageQuery):
    """Which messages of a room, and the language of phrases."""

    before = QueryInt(validate=validate.Range(1, MAX_INT))
    limit = QueryInt(load_default=DEFAULT_PAGE_SIZE, validate=validate.Range(1, MAX_PAGE_SIZE))


class RoomStreamQuery(LanguageQuery):
    """Where the stream of a room continues, and the language of phrases."""

    after = version_number()
    access_token = fields.String()


def check_seen(text: str) -> None:
    """Raise ValidationError if nothing of a text is seen."""
    if not clean_text(text):
        raise ValidationError(NOTHING_SEEN)


class NewMessage(Strict):
    """What to say: a text, or the key of a phrase."""

    text = fields.String(validate=[validate.Length(1, MAX_TEXT_CHARS), check_seen])
    phrase = fields.String(validate=validate.OneOf(PHRASES))

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError unless there is exactly one member."""
        if len(data) != 1:
            raise ValidationError("Expected exactly one of `text` and `phrase`.")

    @post_load
    def clean(self, data: dict[str, Any], **_: object) -> dict[str, Any]:
        """Return the message without characters that are not seen."""
        return {name: clean_text(value) for name, value in data.items()}


class ReadMark(Strict):
    """Up to which message a player has read."""

    number = JsonInt(required=True, validate=validate.Range(0, MAX_INT))


class Mute(Strict):
    """Why an operator mutes a player, and for how many days; without `days`, it has no end."""

    reason = fields.String(required=True, validate=validate.Length(1, MAX_REASON_CHARS))
    days = JsonInt(validate=validate.Range(1, MAX_MUTE_DAYS))


TALK_BODIES = (NewMessage, ReadMark, Mute)
