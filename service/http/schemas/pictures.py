"""Schemas of requests for pictures, and for the same as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from marshmallow import fields, validate

from domain.engine.drawing.layout import SHAPES, Shape
from domain.engine.drawing.themes import Theme
from service.http.schemas.common import (
    MAX_INT,
    WIDTH_RANGE_PX,
    LanguageQuery,
    QueryInt,
    StateQuery,
    Strict,
    boolean,
    language_tag,
    theme_name,
)


class Look(TypedDict):
    """How a picture looks."""

    width: int | None
    shape: Shape
    theme: Theme


def read_look(parameters: Mapping[str, Any]) -> Look:
    """Return how a picture looks, from a valid query."""
    width, shape, theme = parameters.get("width"), parameters["shape"], parameters["theme"]
    return Look(width=width, shape=shape, theme=theme)


class PreviewPictureQuery(Strict):
    """A picture with or without names, in a language, with a width in pixels, and how it looks."""

    names = boolean(default=True)
    language = language_tag()
    width = QueryInt(validate=validate.Range(*WIDTH_RANGE_PX))
    shape = fields.String(load_default="wide", validate=validate.OneOf(SHAPES))
    theme = theme_name()


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
