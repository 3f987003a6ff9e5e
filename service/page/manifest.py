"""What a device needs to know to install the page."""

from __future__ import annotations

from flask import Response

from service.http.json_responses import ENCODER
from service.page.assets import address
from service.page.frame import bp
from service.page.texts import words_in
from service.page.visitor import visitors_language

KIND = "application/manifest+json"
SIZES = (192, 512)
INK = "#a3301f"
PAPER = "#faf7f1"


@bp.get("/page/manifest.webmanifest")
def manifest() -> Response:
    """The manifest; its addresses are relative to its own."""
    language = visitors_language()
    content = {
        "name": "Annals",
        "short_name": "Annals",
        "description": words_in(language)("welcome"),
        "lang": language,
        "id": "../",
        "start_url": "../",
        "scope": "../",
        "display": "standalone",
        "theme_color": INK,
        "background_color": PAPER,
        "icons": [
            *(_icon(f"icon-{size}.png", f"{size}x{size}", "any") for size in SIZES),
            _icon("icon-mask.png", "512x512", "maskable"),
            {**_icon("icon.svg", "any", "any"), "type": "image/svg+xml"},
        ],
    }
    headers = {"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie"}
    return Response(ENCODER.encode(content), headers=headers, mimetype=KIND)


def _icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    return {"src": f"../{address(name)}", "sizes": sizes, "type": "image/png", "purpose": purpose}
