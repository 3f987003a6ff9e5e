"""Schemas of requests of operators."""

from __future__ import annotations

from typing import get_args

from marshmallow import Schema, fields, validate

from domain.match.state import CloseReason
from service.http.schemas.common import (
    DEFAULT_PAGE_SIZE,
    MAX_INT,
    MAX_PAGE_SIZE,
    JsonBool,
    PageQuery,
    QueryInt,
    Strict,
)

MAX_REASON_CHARS = 200


class SearchQuery(PageQuery):
    """What to look for in a list, and which page of it."""

    query = fields.String(load_default="", validate=validate.Length(0, 64))


class OffsetQuery(Strict):
    """Which page of a list, by the number of items before it."""

    after = QueryInt(validate=validate.Range(0, MAX_INT))
    limit = QueryInt(load_default=DEFAULT_PAGE_SIZE, validate=validate.Range(1, MAX_PAGE_SIZE))


class Ban(Strict):
    """Why a player is banned, and whether their matches stay as they are."""

    reason = fields.String(required=True, validate=validate.Length(1, MAX_REASON_CHARS))
    keep_matches = JsonBool()


class Closing(Strict):
    """Why a match is closed, with a note for the admin log only."""

    reason = fields.String(required=True, validate=validate.OneOf(get_args(CloseReason)))
    note = fields.String(validate=validate.Length(0, MAX_REASON_CHARS))


class WebhookSwitch(Strict):
    """Whether a webhook is tried again, or paused."""

    active = JsonBool(required=True)


ADMIN_BODIES: tuple[type[Schema], ...] = (Ban, Closing, WebhookSwitch)
