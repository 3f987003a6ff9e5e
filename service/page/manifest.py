"""The web app manifest, with which a device installs the page."""

from __future__ import annotations

from flask import Response

from service.http.json_responses import ENCODER
from service.page.assets import asset_path
from service.page.frame import bp, house_name
from service.page.texts import words_in
from service.page.visitor import visitor_language

MEDIA_TYPE = "application/manifest+json"
ICON_SIZES_PX = (192, 512)
THEME_COLOUR = "#a3301f"
BACKGROUND_COLOUR = "#faf7f1"


@bp.get("/page/manifest.webmanifest")
def manifest() -> Response:
    """The manifest; its URLs are relative to it."""
    language = visitor_language()
    content = {
        "name": house_name(),
        "short_name": house_name(),
        "description": words_in(language)("welcome"),
        "lang": language,
        "id": "../",
        "start_url": "../",
        "scope": "../",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": BACKGROUND_COLOUR,
        "icons": [
            *(_icon(f"icon-{size}.png", f"{size}x{size}", "any") for size in ICON_SIZES_PX),
            _icon("icon-mask.png", "512x512", "maskable"),
            {**_icon("icon.svg", "any", "any"), "type": "image/svg+xml"},
        ],
    }
    headers = {"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie"}
    return Response(ENCODER.encode(content), headers=headers, mimetype=MEDIA_TYPE)


def _icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    return {
        "src": f"../{asset_path(name)}",
        "sizes": sizes,
        "type": "image/png",
        "purpose": purpose,
    }
