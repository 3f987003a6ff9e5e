"""Fills caches of a web process before it serves: the first request would block all others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from domain.match import log
from service.api.analytics.analytics import vocabulary_json
from service.api.operations import docs
from service.api.operations.games import game_json
from service.drawing.charts import texts
from service.drawing.pictures.inputs import code_digest
from service.http import guides
from service.http.responses.html_pages import page_template
from service.page.blueprint import warm_up_pages


def warm_up(games: Collection[Game[Any]]) -> None:
    """Compute and cache all that stays the same for the life of the process."""
    docs.warm_up()  # takes 25 MB in between, which the others then use
    vocabulary_json(None)
    for game in games:
        vocabulary_json(game)
        json_codec.warm_up(game)
        log.warm_up(game)
    guides.contents()
    for name in guides.GUIDES:
        guides.render(name)
    warm_up_pages(games)
    page_template()
    code_digest()
    for language in LANGUAGES:
        for game in games:
            game_json(game, language)
        texts.words_in(language)
