"""The schema of queries to the explorer."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    MATCH_ID,
    MATCH_RULE,
    MAX_PAGE_SIZE,
    MAX_SEAT,
    QueryInt,
    Strict,
    version_number,
)

DEFAULT_MOVES = 12
MAX_JSON_LENGTH = 8_000


class ExplorerQuery(Strict):
    """The position to explore, and how many moves to list."""

    match = fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    version = version_number()
    moves = fields.String(validate=validate.Length(1, MAX_JSON_LENGTH))
    options = fields.String(validate=validate.Length(1, MAX_JSON_LENGTH))
    seats = QueryInt(validate=validate.Range(1, MAX_SEAT + 1))
    limit = QueryInt(load_default=DEFAULT_MOVES, validate=validate.Range(1, MAX_PAGE_SIZE))
