"""Hints: the best moves of one player against bots, and for no other."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from domain.analysis.hints import MAX_HINTS
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.games.modes import Seating, seatings
from tests.service.api.conftest import Api, moves, open_table, system
from tests.service.api.learning import let_bots_play
from tests.support.apps import app_over

TABLES = {(one.game.key, str(one.options)): one for one in reversed(seatings(GAMES.values()))}
"""Each game in each of its modes, with the fewest seats."""
DECISIONS = 2
"""Number of decisions of each game in which the player asks for hints."""


def open_alone(player: Api, annals: Annals, one: Seating, **terms: Any) -> str:
    """A private match of a player against the weakest bots; it is the player's turn."""
    bots = [{"bot": one.game.levels[0].key}] * (one.seats - 1)
    body = {
        "game": one.game.key,
        "seats": [{"me": True}, *bots],
        "options": one.options,
        "visibility": "private",
        "undo": "free",
        **terms,
    }
    answer = player.post("/v1/matches", body)
    assert answer.status_code == 201, answer.text
    path = answer.headers["Location"]
    let_bots_play(annals, path)
    return path


QIN = next(one for one in TABLES.values() if one.game.key == "qin")


@pytest.mark.parametrize("one", TABLES.values(), ids=str)
def test_the_best_moves_have_reasons_in_words(ann: Api, annals: Annals, one: Seating) -> None:
    """In each language. Each is legal, its touches lead to it, and the best one comes first."""
    path = open_alone(ann, annals, one)
    for _ in range(DECISIONS):
        menu = ann.get(f"{path}/legal-moves?touch=true").json
        asked = {code: ann.get(f"{path}/hints?language={code}").json for code in LANGUAGES}
        hints = asked["en"]["hints"]
        assert (asked["en"]["version"], asked["en"]["seat"]) == (menu["version"], 0)
        assert len(hints) == min(MAX_HINTS, len(menu["moves"]))
        for hint in hints:
            place = menu["moves"].index(hint["move"])
            assert hint["touches"] in menu["ways"][place]
            assert hint["sentences"]
            assert hint["reasons"]
        after = [hint["chance"]["after"] for hint in hints]
        assert after == sorted(after, reverse=True)
        assert after[0] >= hints[0]["chance"]["average"]
        said = {code: [one["reasons"] for one in own["hints"]] for code, own in asked.items()}
        assert all(said[code] != said["en"] for code in LANGUAGES if code != "en")
        assert [one["move"] for one in asked["zh-Hant"]["hints"]] == [one["move"] for one in hints]
        assert ann.post(f"{path}/moves", {"move": hints[0]["move"]}).status_code == 201
        let_bots_play(annals, path)
        if ann.get(path).json["status"] != "active":
            return


def test_a_hint_says_what_changes_for_certain(ann: Api, annals: Annals) -> None:
    """Before the bot answers, as many points as the reasons add up to."""
    path = open_alone(ann, annals, QIN)
    best = ann.get(f"{path}/hints").json["hints"][0]
    before = ann.get(path).json["view"]["scores"][0]
    preview = ann.post(f"{path}/preview?sentences=true", {"move": best["move"]}).json
    assert best["sentences"] == preview["sentences"]
    ann.post(f"{path}/moves", {"move": best["move"]})
    gained = ann.get(path).json["view"]["scores"][0] - before
    assert gained > 0
    assert sum(map(int, re.findall(r"\+(\d+)", best["reasons"][0]))) == gained
    assert best["reasons"][0].startswith("For you: ")
    assert best["reasons"][-1].startswith("Your chance to win ")


@pytest.mark.parametrize(
    "terms",
    [
        pytest.param({"visibility": "public", "undo": "consent"}, id="rated"),
        pytest.param({"seats": [{"me": True}, {"open": True}]}, id="two people"),
        pytest.param({"seats": [{"me": True}, {"me": True}]}, id="one device"),
        pytest.param({"seats": [{"me": True}, {"invite": "Bob"}]}, id="invited"),
    ],
)
def test_there_are_none_in_rated_matches_or_against_people(
    ann: Api, bob: Api, annals: Annals, terms: Any
) -> None:
    body = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}], "visibility": "private"}
    path = ann.post("/v1/matches", body | terms).headers["Location"]
    if ann.get(path).json["status"] == "open":
        assert bob.post(f"{path}/seats").status_code in (200, 201, 404)
    assert ann.get(f"{path}/hints").json["code"] == "no_hints"


def test_a_match_that_became_unrated_by_an_undo_has_hints(ann: Api, annals: Annals) -> None:
    path = open_alone(ann, annals, QIN, visibility="public", undo="consent")
    assert ann.get(f"{path}/hints").json["code"] == "no_hints"
    ann.post(f"{path}/moves", {"move": moves(ann, path)[0]})
    let_bots_play(annals, path)
    ann.post(f"{path}/undo")
    assert ann.get(path).json["unrated"] == "undo"
    assert ann.get(f"{path}/hints").json["hints"]


def test_a_seat_without_a_decision_gets_none(ann: Api, annals: Annals) -> None:
    path = open_alone(ann, annals, QIN)
    ann.post(f"{path}/moves", {"move": moves(ann, path)[0]})
    assert ann.get(f"{path}/hints").json["hints"] == []
    ann.post(f"{path}/resign")
    system(annals, path, lambda match, now: ending.score(match))
    assert ann.get(f"{path}/hints").json["hints"] == []


def test_only_the_player_of_the_seat_gets_them(
    ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    path = open_alone(ann, annals, QIN, visibility="public")
    assert bob.get(f"{path}/hints").json["code"] == "not_seated"
    assert nobody.get(f"{path}/hints").json["code"] == "unauthorized"
    assert ann.get(f"{path}/hints?as=1").json["code"] == "not_your_seat"
    assert open_table(ann, bob)


def test_they_have_a_limit(ann: Api, annals: Annals) -> None:
    path = open_alone(ann, annals, QIN)
    app: Flask = app_over(replace(annals, settings=replace(annals.settings, hint_rate=2)))
    asking = Api(app, ann.token, ann.id)
    statuses = [asking.get(f"{path}/hints").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
