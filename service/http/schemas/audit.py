"""Schemas of what clients ask about how a match came about, and what proves it."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import (
    MAX_EVENTS,
    MAX_PAGE,
    QueryInt,
    Strict,
    Viewer,
    version_number,
)


class LinesQuery(Strict):
    """Which undos and redos."""

    after = version_number(load_default=0)
    limit = QueryInt(load_default=MAX_PAGE, validate=validate.Range(1, MAX_EVENTS))


class LeafQuery(Strict):
    """Which leaf of a match: the newest, or the one of its opening."""

    leaf = fields.String(load_default="newest", validate=validate.OneOf(["newest", "open"]))


class BundleQuery(Strict):
    """A match as a seat or a spectator may know it."""

    viewer = Viewer(data_key="as")
