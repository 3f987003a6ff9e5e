"""SVG shapes, and the panels and text widths that all games share."""
