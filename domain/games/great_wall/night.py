"""The colours of the land of The Great Wall in the dark."""

from __future__ import annotations

from domain.engine.drawing.themes import Palette, Palettes

NIGHT: Palette = {
    "#c9c3ae": "#14120f",
    "#d9c9a0": "#16140f",
    "#c5ae7c": "#12100b",  # the steppe
    "#b9b096": "#37332a",
    "#a79d82": "#2a2720",  # its mountains
    "#d8cbaa": "#12110e",
    "#ccbd97": "#262219",  # the paving
    "#d6cfc0": "#45413a",
    "#bdb39d": "#625b4b",
    "#efebe1": "#2f2b24",  # the Wall
    "#f8efd9": "#3e3628",
    "#e0c48f": "#624d29",
    "#dacfb3": "#4d4431",  # Horde cards
    "#f6efdc": "#2e281c",
    "#7d6a45": "#a98f5c",  # Locations
}
"""The land in the dark: darker than the cards, so that these stand out."""
PALETTES = Palettes(NIGHT)
