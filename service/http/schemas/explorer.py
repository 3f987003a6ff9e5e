"""Schemas of what clients ask about positions."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    MATCH_ID,
    MATCH_RULE,
    MAX_PAGE,
    MAX_SEAT,
    QueryInt,
    Strict,
    version_number,
)

TOLD = 12
MAX_LETTERS = 8_000


class ExplorerQuery(Strict):
    """Which position is explored, and how many moves of it are told."""

    match = fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    version = version_number()
    moves = fields.String(validate=validate.Length(1, MAX_LETTERS))
    options = fields.String(validate=validate.Length(1, MAX_LETTERS))
    seats = QueryInt(validate=validate.Range(1, MAX_SEAT + 1))
    limit = QueryInt(load_default=TOLD, validate=validate.Range(1, MAX_PAGE))
