"""Pictures as responses: from the cache, or drawn by a painter."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, request

from service.drawing.pictures.inputs import Drawing
from service.http.context import caller, context
from service.http.responses.representation import not_modified
from service.runtime.event_loop import run_in_thread


def picture_response(drawing: Drawing, headers: Mapping[str, str], mimetype: str) -> Response:
    """Return a picture, drawn only if needed: not for HEAD, nor for a caller whose ETag matches."""
    if same := not_modified(headers):
        return same
    if request.method == "HEAD":
        return Response(iter(()), headers=headers, mimetype=mimetype)  # of unknown length
    return Response(draw_or_find(drawing), headers=headers, mimetype=mimetype)


def draw_or_find(drawing: Drawing) -> bytes:
    """Return the picture. Raises TooManyRequests or PaintersBusy if it cannot be drawn now."""
    here, address = context(), caller().address
    picture = here.picture_cache.find(drawing)
    if picture is not None:
        return picture
    here.picture_limit.count(address)
    return run_in_thread(here.picture_cache.draw, drawing, address)
