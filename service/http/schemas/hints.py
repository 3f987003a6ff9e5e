"""The schema of requests for hints."""

from __future__ import annotations

from marshmallow import validate

from service.http.schemas.common import MAX_SEAT, LanguageQuery, QueryInt


class HintsQuery(LanguageQuery):
    """The seat that asks for hints, and the language of their words."""

    seat = QueryInt(data_key="as", validate=validate.Range(0, MAX_SEAT))
