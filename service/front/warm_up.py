"""What a web process works out before it serves, as the first to ask would hold up all others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from domain.match import log
from service.api.analytics.analytics import words_of
from service.api.operations import docs
from service.api.operations.games import whole
from service.drawing.charts import texts
from service.drawing.pictures.inputs import drawing_code
from service.http import guides
from service.http.responses.html_pages import frame
from service.page.blueprint import get_ready


def work_out(games: Collection[Game[Any]]) -> None:
    """Whatever is the same for all requests as long as the process lives: it is kept."""
    words_of(None)
    for game in games:
        words_of(game)
        json_codec.get_ready(game)
        log.get_ready(game)
    guides.contents()
    for name in guides.GUIDES:
        guides.render(name)
    docs.contract_as_json()
    get_ready(games)
    frame()
    drawing_code()
    for language in LANGUAGES:
        for game in games:
            whole(game, language)
        texts.words_in(language)
