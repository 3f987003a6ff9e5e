"""Hansa Teutonica as a picture and as text, drawn from a view only."""

from domain.games.hansa_teutonica.render.picture import svg
from domain.games.hansa_teutonica.render.plain import text

__all__ = ["svg", "text"]
