"""Schemas of requests for pictures, and for the same as text."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.engine.drawing.layout import ASPECT
from service.http.schemas.common import (
    MAX_INT,
    WIDTH_RANGE_PX,
    LanguageQuery,
    QueryInt,
    StateQuery,
    Strict,
    boolean,
    language_tag,
)


class PreviewPictureQuery(Strict):
    """A picture with or without names, in a language, with a width in pixels and a shape."""

    names = boolean(default=True)
    language = language_tag()
    width = QueryInt(validate=validate.Range(*WIDTH_RANGE_PX))
    shape = fields.String(load_default="wide", validate=validate.OneOf(list(ASPECT)))


class BetterPictureQuery(PreviewPictureQuery):
    """A picture of the board after a better move than the one at a version."""

    version = QueryInt(required=True, validate=validate.Range(1, MAX_INT))


class AnalysisPictureQuery(LanguageQuery):
    """The analysis as a chart, or as its lines only."""

    form = fields.String(load_default="chart", validate=validate.OneOf(["chart", "strip"]))


class TextQuery(StateQuery):
    """A state as text, with or without names, in a language."""

    names = boolean(default=True)
    language = language_tag()


class PictureQuery(StateQuery, PreviewPictureQuery):
    """A state as a picture."""
