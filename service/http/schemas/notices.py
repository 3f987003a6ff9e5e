"""Schemas of requests about which channels players get notices over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.accounts.notices.quiet_hours import find_zone
from service.accounts.notices.settings import MATCH_CHOICES
from service.channels.mail.kinds import KINDS
from service.channels.notice_channels import CHANNELS
from service.http.schemas.accounts import TIME_ZONE
from service.http.schemas.common import JsonBool, Strict

_CLOCK_TIME = validate.Regexp(r"([01][0-9]|2[0-3]):[0-5][0-9]\Z", error="Expected a time: `22:30`.")


def _channels_of_kind(kind: str) -> fields.List[str]:
    names = [one.name for one in CHANNELS.values() if kind in one.kinds]
    return fields.List(
        fields.String(validate=validate.OneOf(names)), validate=validate.Length(max=len(names))
    )


NewNoticeChannels = Strict.from_dict(
    {kind: _channels_of_kind(kind) for kind in KINDS}, name="NewNoticeChannels"
)
"""The channels of each kind of notice; none for a kind that is left out."""


class NewQuietHours(Strict):
    """The hours in which a player wants no mail about matches, push messages and mentions."""

    start = fields.String(required=True, data_key="from", validate=_CLOCK_TIME)
    end = fields.String(required=True, data_key="until", validate=_CLOCK_TIME)
    time_zone = fields.String(required=True, validate=validate.Regexp(TIME_ZONE))

    @validates_schema
    def check_hours(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError for hours without an end, and a time zone that nobody knows."""
        if data["start"] == data["end"]:
            raise ValidationError("Expected another time than `from`.", "until")
        if find_zone(data["time_zone"]) is None:
            raise ValidationError("Expected a time zone such as `Asia/Shanghai`.", "time_zone")


class NewNotices(Strict):
    """Over which channels a player gets notices, and whether over several at once."""

    kinds = fields.Nested(NewNoticeChannels, required=True)
    twice = JsonBool()
    quiet_hours = fields.Nested(NewQuietHours, allow_none=True)


class NewMatchNotices(Strict):
    """What a player gets about one match."""

    notices = fields.String(required=True, validate=validate.OneOf(MATCH_CHOICES))


NOTICE_BODIES: tuple[type[Schema], ...] = (
    NewNotices, NewQuietHours, NewMatchNotices,
)  # fmt: skip
