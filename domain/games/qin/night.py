"""The colours of the land of Qin in the dark and in high contrast."""

from __future__ import annotations

from domain.engine.drawing.themes import Palette, Palettes

NIGHT: Palette = {
    "#dbe3bd": "#33472d",
    "#d3deaa": "#2f4229",
    "#c9d8a0": "#2a3b25",  # grassland
    "#8fa763": "#6d8c52",
    "#a9b880": "#5d7450",  # its tufts
    "#a7b67e": "#5d7450",  # the lines between spaces
    "#8fc6d6": "#2f7590",
    "#4f8ba1": "#7fb6c9",  # water and its banks
    "#e6d2a2": "#5c4a2a",
    "#9a7d45": "#c9a561",  # the ground of villages
    "#fbf2dc": "#e9dfc6",
    "#a5603a": "#cc7a50",
    "#7c4424": "#93502d",
    "#6b4a2b": "#4a3019",
}
"""The land in the dark: green enough to tell it from the villages on it."""
PALETTES = Palettes(NIGHT, sharp={"#a7b67e": "#3a4417"})
"""High contrast shows the lines between spaces."""
