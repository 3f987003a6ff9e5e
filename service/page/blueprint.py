"""All pages, put together."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from service.page import files, manifest
from service.page.assets import ASSETS, MODULE, imports
from service.page.frame import bp, templates
from service.page.texts import for_modules, words_in
from service.page.views import match, new_table, people, rules, samples, settings, statistics, turns

ROUTES = (files, manifest, match, new_table, people, rules, samples, settings, statistics, turns)
"""The modules whose routes the blueprint has."""
__all__ = ["ROUTES", "bp", "get_ready"]


def get_ready(games: Collection[Game[Any]]) -> None:
    """Work out what is the same for all who look."""
    templates()
    for language in LANGUAGES:
        words_in(language)
        for_modules(language)
        for game in games:
            samples.drawn(game, language)
            new_table.options_of(game, language)
            rules.get_ready(game, language)
    for name, asset in ASSETS.items():
        if asset.kind == MODULE:
            imports(name)
