"""Schemas of what clients send about webhooks."""

from __future__ import annotations

from datetime import UTC, datetime

from marshmallow import Schema, ValidationError, fields, validate

from domain.notices import NOTICE_TYPES
from service.channels.webhooks.queue.delivery_log import KEPT
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
VALUE = r"[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?\Z"
TIMES = datetime.fromtimestamp(0, UTC), datetime.max.replace(tzinfo=UTC)
VALUE_RULE = "Expected 1 to 1000 printable ASCII characters, with no space at either end."


def _match_id() -> fields.String:
    return fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE), allow_none=True)


class WebhookFilter(Strict):
    """Of which matches, and whether only what waits for its owner."""

    match = _match_id()
    game = fields.String(validate=validate.Length(1, 40), allow_none=True)
    whose = fields.String(validate=validate.OneOf(["mine", "all"]))
    my_turn = JsonBool()


class ChangedWebhook(Strict):
    """What is to be otherwise from now on."""

    url = fields.String(validate=validate.Length(1, 2000))
    types = fields.List(
        fields.String(validate=validate.OneOf(NOTICE_TYPES)),
        validate=validate.Length(1, len(NOTICE_TYPES)),
    )
    filter = fields.Nested(WebhookFilter)
    headers = fields.Dict(
        keys=fields.String(validate=validate.Regexp(HEADER, error=HEADER_RULE)),
        values=fields.String(validate=validate.Regexp(VALUE, error=VALUE_RULE)),
    )
    active = JsonBool()


class NewWebhook(ChangedWebhook):
    """What is to be told, and where."""

    class Meta(ChangedWebhook.Meta):
        """It begins active."""

        exclude = ("active",)

    url = fields.String(required=True, validate=validate.Length(1, 2000))
    format = fields.String(validate=validate.OneOf(FORMATS))


class ExampleChoice(Strict):
    """Of which type, and of which game."""

    type = fields.String(required=True, validate=validate.OneOf(NOTICE_TYPES))
    game = fields.String(validate=validate.Length(1, 40))


def _must_be_a_time_of_matches(at: datetime) -> None:
    """Refuse what cannot be told in UTC, and what is before all matches."""
    if not TIMES[0] <= at <= TIMES[1]:
        raise ValidationError("Expected a time from 1970 to 9999, in UTC.")


class Since(Strict):
    """From when on; since it first failed if nothing is said."""

    since = fields.AwareDateTime(default_timezone=UTC, validate=_must_be_a_time_of_matches)


class Replay(Strict):
    """From which version of which match on."""

    match = fields.String(required=True, validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    from_version = JsonInt(required=True, validate=validate.Range(1, MAX_INT))


class DeliveriesQuery(PageQuery):
    """Which deliveries."""

    status = fields.String(validate=validate.OneOf(list(KEPT)))


WEBHOOK_BODIES: tuple[type[Schema], ...] = (
    WebhookFilter, NewWebhook, ChangedWebhook, ExampleChoice, Since, Replay,
)  # fmt: skip
