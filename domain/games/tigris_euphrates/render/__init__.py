"""The table as a picture and as text, drawn from a view only."""

from domain.games.tigris_euphrates.render.picture import svg
from domain.games.tigris_euphrates.render.plain import text

__all__ = ["svg", "text"]
