"""Pictures for tests in which what they show makes no difference."""

from __future__ import annotations

from dataclasses import replace

from service.drawing.pictures.inputs import Drawing, draw_picture
from service.drawing.pictures.painter import Painter

PNG_WIDTH = 32
"""In pixels: a picture of full size takes ten times as long."""


class SmallPainter(Painter):
    """Draws small PNG in this process, so that none has to start."""

    def draw(self, drawing: Drawing) -> bytes:
        """Return the picture. Raises what the code that draws raises."""
        return draw_picture(replace(drawing, width=PNG_WIDTH) if drawing.form == "png" else drawing)
