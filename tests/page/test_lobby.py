"""The order and the pages of the lobby."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask

from domain.games import GAMES
from domain.match.visibility import view
from service.matches.container import Annals
from service.page.views import lobby
from service.page.views.match_lists import HOUR_S
from tests.page.test_pages import show_page
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, play_on


@pytest.mark.parametrize("window", [2, 300])
def test_the_latest_move_comes_first_however_old_its_match_is(
    app: Flask,
    ann: Api,
    bob: Api,
    annals: Annals,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    window: int,
) -> None:
    """Small windows and pages stand for many matches."""
    client = app.test_client()
    monkeypatch.setattr(lobby, "WINDOW", window)
    monkeypatch.setattr(lobby, "PAGE_SIZE", 1)
    old = open_table(ann, bob)
    bots = {"game": "qin", "seats": [{"me": True}, {"bot": GAMES["qin"].levels[0].key}]}
    for _ in range(4):
        clock.ms += 1_000
        ann.post("/v1/matches", {**bots, "options": {"first_player": "seat:0"}})
    clock.ms += 1_000 * (HOUR_S + 1)
    fold_lists(annals)
    listed = re.findall(r'<li id="m-(\w+)">', show_page(client, "/?status=active").text)
    assert listed == [old.rpartition("/")[2]]
    new = open_table(ann, bob)
    clock.ms += 1_000
    play_on(old, ann, bob, until=1)
    fold_lists(annals)
    monkeypatch.setattr(lobby, "MAX_WINDOWS", 1)
    order, query = list[str](), "?status=active"
    while query:
        text = show_page(client, f"/{query}").text
        assert "No matches found." not in text  # more follow, or there is one
        order += re.findall(r'<li id="m-(\w+)">', text)
        following = re.search(r'href="[^"]*(\?[^"]*after=[^"]*)"', text)
        query = unescape(following[1]) if following else ""
    expected = [one.rpartition("/")[2] for one in (old, new)]
    assert order == (expected if window == 300 else expected[::-1])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_lobby_shows_the_points_that_all_may_see(
    app: Flask, ann: Api, annals: Annals, game: str
) -> None:
    seats = [{"me": True}] * GAMES[game].seats.start
    match = ann.post("/v1/matches", {"game": game, "seats": seats}).json["id"]
    for _ in range(4):
        shown = ann.get(f"/v1/matches/{match}/legal-moves").json
        ann.post(f"/v1/matches/{match}/moves", {"move": shown["moves"][-1]})
    fold_lists(annals)
    listed = show_page(app.test_client(), "/?status=active").text
    shown_points = re.findall(r'class="chip[^>]*>[^<]* · (\d+)', listed)
    scores = view(annals.matches.latest(match), None).scores
    assert shown_points == [str(points) for points in scores if points is not None]
