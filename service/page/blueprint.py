"""Assembles the blueprint of all pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from service.page import files, manifest
from service.page.assets import ASSETS, JAVASCRIPT, list_imports
from service.page.frame import bp, templates
from service.page.texts import texts_for_modules, words_in
from service.page.views import (
    admin,
    mail,
    match,
    new_table,
    samples,
    settings,
    setup,
    statistics,
    themes,
    turns,
)
from service.page.views.people import follows, profiles
from service.page.views.rules import aid, book

ROUTE_MODULES = (
    admin,
    aid,
    book,
    files,
    follows,
    mail,
    manifest,
    match,
    new_table,
    profiles,
    samples,
    settings,
    setup,
    statistics,
    themes,
    turns,
)
"""The modules whose routes the blueprint has."""
__all__ = ["ROUTE_MODULES", "bp", "warm_up_pages"]


def warm_up_pages(games: Collection[Game[Any]]) -> None:
    """Fill the caches that all visitors share."""
    templates()
    for game in games:
        themes.make_sheet(game)
    for language in LANGUAGES:
        words_in(language)
        texts_for_modules(language)
        for game in games:
            samples.draw_sample(game, language, False)
            new_table.option_controls(game, language)
            book.warm_up(game, language)
            aid.aid_html(game, language)
    for name, asset in ASSETS.items():
        if asset.media_type == JAVASCRIPT:
            list_imports(name)
