"""Schemas of what clients ask about ratings."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    MAX_PAGE,
    PAGE,
    QueryInt,
    Strict,
    language_tag,
    version_number,
    yes_or_no,
)


class PlacesQuery(Strict):
    """Which places of a leaderboard."""

    after = version_number(load_default=0)
    limit = QueryInt(load_default=PAGE, validate=validate.Range(1, MAX_PAGE))
    provisional = yes_or_no(default=False)


class PlacesPictureQuery(PlacesQuery):
    """The same as a picture with words of a language."""

    language = language_tag()


class RatingsQuery(Strict):
    """Which part of the history of which rating."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    after = version_number()
    limit = QueryInt(load_default=PAGE, validate=validate.Range(1, MAX_PAGE))


class RatingsPictureQuery(RatingsQuery):
    """The same as a picture with words of a language."""

    language = language_tag()
