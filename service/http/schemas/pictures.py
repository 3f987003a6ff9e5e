"""Schemas of requests for pictures, and for the same as text."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.engine.drawing.layout import ASPECT
from service.http.schemas.common import (
    WIDTH_RANGE_PX,
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


class TextQuery(StateQuery):
    """A state as text, with or without names, in a language."""

    names = boolean(default=True)
    language = language_tag()


class PictureQuery(StateQuery, PreviewPictureQuery):
    """A state as a picture."""
