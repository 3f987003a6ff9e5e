"""Chang Cheng as a picture and as text, drawn from a view only."""

from domain.games.chang_cheng.render.picture import svg
from domain.games.chang_cheng.render.plain import text

__all__ = ["svg", "text"]
