"""All pages, put together."""

from __future__ import annotations

from domain.engine.telling import LANGUAGES
from service.page import files, match
from service.page.assets import ASSETS, MODULE, imports
from service.page.frame import bp, templates
from service.page.texts import for_modules, words_in

__all__ = ["bp", "files", "get_ready", "match"]


def get_ready() -> None:
    """Work out what is the same for all who look."""
    templates()
    for language in LANGUAGES:
        words_in(language)
        for_modules(language)
    for name, asset in ASSETS.items():
        if asset.kind == MODULE:
            imports(name)
