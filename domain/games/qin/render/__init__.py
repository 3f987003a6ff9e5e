"""Qin as a picture and as text, drawn from a view only."""

from domain.games.qin.render.picture import svg
from domain.games.qin.render.plain import text

__all__ = ["svg", "text"]
