"""Links to a game, its rules, tables and matches have a picture that says what the game is."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import pytest
from flask import Flask

from domain.engine.sentences import LANGUAGES
from service.drawing.charts.text_metrics import text_width
from service.drawing.pictures.cover import MOST_WEIGHT, describe_game
from service.matches.container import Annals
from tests.games.modes import ALL
from tests.games.seen import AnyGame
from tests.service.api.conftest import Api, open_table

BROWSER = {"Accept": "text/html"}
IMAGE = re.compile(r'property="og:image" content="([^"]+)"')
ADDRESS = re.compile(r'property="og:url" content="([^"]+)"')
TEXTS = re.compile(r'<text x="([\d.]+)"[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</text>')
BAND = 456
"""The width of the part with the words, in pixels."""
PNG = b"\x89PNG"


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_a_cover_says_what_the_game_is(game: AnyGame, nobody: Api) -> None:
    """In each language: title, aim, players, minutes, weight and modes, within its band."""
    for language in LANGUAGES:
        answer = nobody.get(f"/v1/games/{game.key}/cover.svg?language={language}")
        assert answer.headers["Content-Language"] == language
        facts = describe_game(game, language)
        band = answer.text[answer.text.rindex('<rect x="0" y="0" width="456"') :]
        lines = [(float(x), float(size), unescape(said)) for x, size, said in TEXTS.findall(band)]
        said = "".join(line for *_, line in lines).replace(" ", "")
        for known in (game.title_in(language), game.goal_in(language), facts.players):
            assert known.replace(" ", "") in said
        assert all(fact in band for fact in (facts.minutes, facts.weight_in_words) if fact)
        assert facts.weight <= MOST_WEIGHT
        assert all(x + text_width(line, size) <= BAND for x, size, line in lines)


def test_a_cover_as_png_is_kept_by_clients(nobody: Api) -> None:
    answer = nobody.get("/v1/games/qin/cover.png")
    assert answer.data.startswith(PNG)
    again = nobody.get("/v1/games/qin/cover.png", If_None_Match=answer.headers["ETag"])
    assert again.status_code == 304


def test_links_have_a_picture(app: Flask, ann: Api, bob: Api, annals: Annals) -> None:
    """Rules, an open table and a match in play; an invitation keeps its own address."""
    playing = open_table(ann, bob)
    waiting = ann.post("/v1/matches", {"game": "qin", "seats": [{"me": True}, {"open": True}]})
    for path in ("/rules/qin", playing, waiting.headers["Location"]):
        shown = show(app, path)
        [picture] = IMAGE.findall(shown)
        address = unescape(picture).removeprefix(annals.base_url)
        assert app.test_client().get(address).headers["Content-Type"] == "image/png"
    assert not ADDRESS.findall(show(app, waiting.headers["Location"]))


def show(app: Flask, path: str) -> str:
    answer = app.test_client().get(path.removeprefix("/v1"), headers=BROWSER)
    assert answer.status_code == 200
    return answer.text


def test_the_lobby_says_the_same(app: Flask, annals: Annals) -> None:
    shown = show(app, "/")
    for game in annals.games.values():
        facts: Any = describe_game(game, "en")
        assert escape(facts.players) in shown
        assert facts.minutes in shown
        assert all(escape(mode) in shown for mode in facts.modes)
