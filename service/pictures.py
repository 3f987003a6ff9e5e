"""Pictures for places that show no SVG."""

from __future__ import annotations

from pathlib import Path

from resvg_py import svg_to_bytes

FONTS = [str(font) for font in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]


def png(svg: str, width: int = 1200) -> bytes:
    """An SVG picture as PNG, `width` pixels wide; letters come from the fonts shipped with us."""
    return svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=FONTS,
        skip_system_fonts=True,
        font_family="Roboto",
        sans_serif_family="Roboto",
    )
