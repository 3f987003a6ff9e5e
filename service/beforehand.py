"""What a web process works out before it serves, as the first to ask would hold up all others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from domain.engine import codec
from domain.engine.game import Game
from domain.engine.telling import LANGUAGES
from domain.match import log
from service import guides
from service.api import docs
from service.api.analytics import words_of
from service.api.games import whole
from service.charts import saying
from service.http.pages import frame
from service.page.pages import get_ready
from service.pictures.drawing import drawing_code


def work_out(games: Collection[Game[Any]]) -> None:
    """Whatever is the same for all requests as long as the process lives: it is kept."""
    words_of(None)
    for game in games:
        words_of(game)
        codec.get_ready(game)
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
        saying.words_in(language)
