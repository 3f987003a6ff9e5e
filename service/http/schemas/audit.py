"""Schemas of requests about the history of a match, and the proofs of it."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    MAX_EVENTS,
    MAX_PAGE_SIZE,
    QueryInt,
    Strict,
    Viewer,
    version_number,
)


class LinesQuery(Strict):
    """Which page of undos and redos."""

    after = version_number(load_default=0)
    limit = QueryInt(load_default=MAX_PAGE_SIZE, validate=validate.Range(1, MAX_EVENTS))


class LeafQuery(Strict):
    """Which leaf of a match: the newest, or that of its opening."""

    leaf = fields.String(load_default="newest", validate=validate.OneOf(["newest", "open"]))


class BundleQuery(Strict):
    """The seat, or spectator, whose view the bundle has."""

    viewer = Viewer(data_key="as")
