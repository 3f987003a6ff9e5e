"""Schemas of requests about webhooks."""

from __future__ import annotations

from datetime import UTC, datetime

from marshmallow import Schema, ValidationError, fields, validate

from domain.notice_types import NOTICE_TYPES
from service.channels.webhooks.queue.delivery_log import MAX_KEPT_BY_STATUS
from service.channels.webhooks.subscriptions import FORMATS
from service.http.schemas.common import (
    MATCH_ID,
    MATCH_RULE,
    MAX_INT,
    JsonBool,
    JsonInt,
    PageQuery,
    Strict,
)

HEADER = r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}\Z"
HEADER_RULE = "Expected the name of a header."
HEADER_VALUE = r"[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?\Z"
TIME_RANGE = datetime.fromtimestamp(0, UTC), datetime.max.replace(tzinfo=UTC)
HEADER_VALUE_RULE = "Expected 1 to 1000 printable ASCII characters, with no space at either end."


def _match_id() -> fields.String:
    return fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE), allow_none=True)


class WebhookFilter(Strict):
    """Which matches to subscribe to, and whether only to what waits for the owner."""

    match = _match_id()
    game = fields.String(validate=validate.Length(1, 40), allow_none=True)
    whose = fields.String(validate=validate.OneOf(["mine", "all"]))
    my_turn = JsonBool()


class WebhookUpdate(Strict):
    """The settings of a webhook to change."""

    url = fields.String(validate=validate.Length(1, 2000))
    types = fields.List(
        fields.String(validate=validate.OneOf(list(NOTICE_TYPES))),
        validate=validate.Length(1, len(NOTICE_TYPES)),
    )
    filter = fields.Nested(WebhookFilter)
    headers = fields.Dict(
        keys=fields.String(validate=validate.Regexp(HEADER, error=HEADER_RULE)),
        values=fields.String(validate=validate.Regexp(HEADER_VALUE, error=HEADER_VALUE_RULE)),
    )
    active = JsonBool()


class NewWebhook(WebhookUpdate):
    """The address of a new webhook, and what to send there."""

    class Meta(WebhookUpdate.Meta):
        """A new webhook is active."""

        exclude = ("active",)

    url = fields.String(required=True, validate=validate.Length(1, 2000))
    format = fields.String(validate=validate.OneOf(FORMATS))


class ExampleRequest(Strict):
    """The type of an example message, and its game."""

    type = fields.String(required=True, validate=validate.OneOf(list(NOTICE_TYPES)))
    game = fields.String(validate=validate.Length(1, 40))


def _check_time(at: datetime) -> None:
    """Raise ValidationError for a time that UTC cannot express, or before 1970."""
    if not TIME_RANGE[0] <= at <= TIME_RANGE[1]:
        raise ValidationError("Expected a time from 1970 to 9999, in UTC.")


class RecoverRequest(Strict):
    """The time from which to replay; by default since the first failure."""

    since = fields.AwareDateTime(default_timezone=UTC, validate=_check_time)


class ReplayRequest(Strict):
    """The match, and the version from which to replay."""

    match = fields.String(required=True, validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    from_version = JsonInt(required=True, validate=validate.Range(1, MAX_INT))


class DeliveriesQuery(PageQuery):
    """Which deliveries."""

    status = fields.String(validate=validate.OneOf(list(MAX_KEPT_BY_STATUS)))


WEBHOOK_BODIES: tuple[type[Schema], ...] = (
    WebhookFilter, NewWebhook, WebhookUpdate, ExampleRequest, RecoverRequest, ReplayRequest,
)  # fmt: skip
