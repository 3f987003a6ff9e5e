"""Schemas of requests about ratings."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    DEFAULT_PAGE_SIZE,
    MAX_PAGE_SIZE,
    ChartQuery,
    QueryInt,
    Strict,
    boolean,
    version_number,
)


class LeaderboardQuery(Strict):
    """Which part of a leaderboard."""

    after = version_number(load_default=0)
    limit = QueryInt(load_default=DEFAULT_PAGE_SIZE, validate=validate.Range(1, MAX_PAGE_SIZE))
    provisional = boolean(default=False)


class LeaderboardPictureQuery(LeaderboardQuery, ChartQuery):
    """The same as a chart."""


class RatingHistoryQuery(Strict):
    """Which part of a rating history."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    after = version_number()
    limit = QueryInt(load_default=DEFAULT_PAGE_SIZE, validate=validate.Range(1, MAX_PAGE_SIZE))


class RatingHistoryPictureQuery(RatingHistoryQuery, ChartQuery):
    """The same as a chart."""
