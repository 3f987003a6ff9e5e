"""Ending and pausing a match by agreement over REST, in every game with the fewest and the most
seats.
"""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.matches.container import Annals
from tests.games.modes import Seating, seatings
from tests.service.api.bundles import export_bundle, verdict
from tests.service.api.change_feed import listening, next_change
from tests.service.api.conftest import Api, Clock, fold_lists
from tests.service.api.seated import Table, table

END, PAUSE, RESUME = {"kind": "end"}, {"kind": "pause"}, {"kind": "resume"}
TABLES = seatings(GAMES.values())
MOVES = 4


def vote(at: Table, seat: int, **more: Any) -> TestResponse:
    return at.players[seat].post(f"{at.path}/proposal", {**END, **more})


def kinds(at: Table) -> list[str]:
    return [one["kind"] for one in at.players[0].get(f"{at.path}/events").json["events"]]


def seated(app: Flask, seating: Seating) -> Table:
    at = table(app, seating.game.key, seating.seats, options=seating.options)
    at.play(MOVES)
    return at


@pytest.mark.parametrize("seating", TABLES, ids=str)
def test_a_match_of_every_game_ends_when_all_agree(
    app: Flask, annals: Annals, cid: Api, seating: Seating
) -> None:
    at = seated(app, seating)
    if seating.seats > 1:
        assert vote(at, 0).json["events"][0]["type"] == "Proposed"
        waiting = sorted(player.id for player in at.players[1:])
        for caller in (*at.players, cid):  # a spectator sees that it stands
            standing = caller.get(at.path).json["proposal"]
            assert standing["player"] == at.players[0].id
            assert sorted(standing["waiting_for"]) == waiting
    for seat in range(1, seating.seats):
        assert at.status == "active"
        assert vote(at, seat, agree=True).status_code == 200
    if seating.seats == 1:
        vote(at, 0)
    over = cid.get(at.path).json
    assert (over["status"], over["end_reason"], over["result"]) == ("aborted", "agreement", None)
    assert (over["proposal"], len(over["seed"])) == (None, 64)
    fold_lists(annals)
    [listed] = cid.get("/v1/matches?status=aborted").json["matches"]
    assert (listed["end_reason"], listed["result"]) == ("agreement", None)
    steps = verdict(export_bundle(cid, at.path))
    assert (steps["rules"].outcome, steps["seed"].outcome) == ("ok", "ok"), steps


@pytest.mark.parametrize("seating", TABLES, ids=str)
def test_a_match_of_every_game_is_paused_and_goes_on(
    app: Flask, annals: Annals, cid: Api, clock: Clock, seating: Seating
) -> None:
    at = table(
        app, seating.game.key, seating.seats, options=seating.options, clock={"bank_s": 9_000}
    )
    at.play(MOVES)
    for player in at.players:
        assert player.post(f"{at.path}/proposal", PAUSE).status_code == 200
    paused = cid.get(at.path).json
    assert paused["pause"]["player"] == at.players[0].id
    assert (paused["clocks"]["running"], paused["clocks"]["deadline"]) == ([], None)
    for player in at.players:
        assert player.get(f"{at.path}/legal-moves").json["moves"] == []
    fold_lists(annals)
    [listed] = cid.get("/v1/matches?status=active").json["matches"]
    assert listed["pause"] == paused["pause"]
    assert at.players[0].get("/v1/me/turns").json["turns"] == []
    clock.ms += 5 * 86_400_000
    assert cid.post(f"{at.path}/proposal", RESUME).json["code"] == "not_seated"
    resumed = at.players[-1].post(f"{at.path}/proposal", RESUME).json
    assert resumed["events"][0] == {
        "type": "Resumed", "player": at.players[-1].id, "ms": resumed["events"][0]["ms"],
    }  # fmt: skip
    assert resumed["events"][0]["ms"] >= 5 * 86_400_000
    after = cid.get(at.path).json
    assert (after["pause"], after["clocks"]["left_ms"]) == (None, paused["clocks"]["left_ms"])
    at.play(1)
    at.end(annals)
    assert verdict(export_bundle(cid, at.path))["rules"].outcome == "ok"


def test_a_paused_match_refuses_what_needs_its_clocks(app: Flask, ann: Api) -> None:
    at = table(app, "qin", 2, clock={"bank_s": 900})
    at.play(2)
    for player in at.players:
        player.post(f"{at.path}/proposal", PAUSE)
    move = {"type": "PlaceTile"}
    for what, body, code in (
        ("moves", {"move": move}, "bad_move"), ("undo", {}, "match_paused"),
        ("redo", {}, "match_paused"), ("undo/answer", {"agree": True}, "match_paused"),
        ("reclaim", {}, "match_paused"), ("time", {}, "no_time_to_give"),
        ("proposal", PAUSE, "no_pause"), ("proposal", {**RESUME, "agree": True}, "invalid"),
    ):  # fmt: skip
        assert at.players[0].post(f"{at.path}/{what}", body).json["code"] == code, what
    for player in at.players:  # to end it is possible
        assert player.post(f"{at.path}/proposal", END).status_code == 200
    assert at.status == "aborted"


def test_two_players_who_resume_at_the_same_moment_resume_once(app: Flask) -> None:
    at = table(app, "qin", 2, clock={"bank_s": 900})
    for player in at.players:
        player.post(f"{at.path}/proposal", PAUSE)
    codes = [player.post(f"{at.path}/proposal", RESUME).json.get("code") for player in at.players]
    assert codes == [None, "no_pause"]
    assert kinds(at)[-1] == "Resumed"


@pytest.fixture
def qin(app: Flask) -> Table:
    return table(app, "qin", 3)


def test_the_others_are_asked_on_their_lists_and_streams(qin: Table, annals: Annals) -> None:
    fold_lists(annals)
    with listening(qin.players[1]) as changes:
        vote(qin, 0)
        fold_lists(annals)
        row = next_change(changes)
        assert (row["needs_action"], row["proposal"]["waiting_for"]) == (
            True, sorted(player.id for player in qin.players[1:]),
        )  # fmt: skip
        [turn] = qin.players[1].get("/v1/me/turns").json["turns"]
        assert turn["proposal"] == row["proposal"]
        vote(qin, 1, agree=False)
        fold_lists(annals)
        assert next_change(changes)["proposal"] is None


def test_a_proposal_is_no_secret_of_anybody_and_tells_none(qin: Table, cid: Api) -> None:
    vote(qin, 0)
    shown = [caller.get(f"{qin.path}/events").json["events"][-1] for caller in (*qin.players, cid)]
    assert all(one == shown[0] for one in shown)
    assert set(shown[0]["events"][0]) == {"type", "kind", "player", "asked", "expires"}


def test_a_request_that_is_repeated_counts_once(qin: Table) -> None:
    for seat, key in (0, "a"), (0, "a"), (1, "b"), (1, "b"), (2, "c"), (2, "c"):
        answer = qin.players[seat].post(f"{qin.path}/proposal", END, Idempotency_Key=key)
        assert answer.status_code == 200
    assert kinds(qin)[-3:] == ["Proposed", "ProposalAnswered", "Aborted"]


def test_two_players_who_agree_at_the_same_moment_both_count(app: Flask) -> None:
    for number in range(5):
        at, begin = table(app, "qin", 3, called=f"Pair {number}"), Barrier(2)
        vote(at, 0)
        answers: list[TestResponse] = []

        def agree(seat: int, at: Table = at, begin: Barrier = begin) -> None:
            begin.wait()
            answers.append(vote(at, seat, agree=True))  # noqa: B023

        threads = [Thread(target=agree, args=[seat]) for seat in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [one.status_code for one in answers] == [200, 200]
        assert kinds(at)[-3:] == ["Proposed", "ProposalAnswered", "Aborted"]


def test_two_players_who_propose_it_at_the_same_moment_agree(app: Flask) -> None:
    at = table(app, "qin", 2)
    assert [vote(at, seat).status_code for seat in (0, 1)] == [200, 200]
    assert at.status == "aborted"


def test_strangers_guests_and_wrong_bodies_are_refused(qin: Table, cid: Api, nobody: Api) -> None:
    before = qin.version
    path = f"{qin.path}/proposal"
    assert cid.post(path, END).json["code"] == "not_seated"
    assert nobody.post(path, END).json["code"] == "unauthorized"
    for body in ({}, {"kind": "pizza"}, {**END, "agree": "yes"}, {**END, "more": 1}):
        answer = qin.players[0].post(path, body)
        assert (answer.status_code, answer.json["code"]) == (400, "invalid")
    assert qin.version == before


def test_a_private_match_is_not_found_by_others_and_its_player_ends_it_alone(
    ann: Api, cid: Api
) -> None:
    seats = [{"me": True}, {"bot": "li_mu"}]
    opened = ann.post("/v1/matches", {"game": "qin", "seats": seats, "visibility": "private"})
    path = f"/v1/matches/{opened.json['id']}"
    assert cid.post(f"{path}/proposal", END).json["code"] == "not_found"
    ended = ann.post(f"{path}/proposal", END).json
    assert [one["type"] for one in ended["events"]] == ["Aborted"]
    assert ann.get(path).json["end_reason"] == "agreement"


def test_no_player_fills_the_log_with_proposals(qin: Table, clock: Clock) -> None:
    codes = set()
    before = qin.version
    for _ in range(20):
        codes.add(vote(qin, 0).json.get("code"))
        codes.add(vote(qin, 0, agree=False).json.get("code"))
        clock.ms += 1_000
    assert codes == {None, "proposed_lately", "no_proposal"}
    assert qin.version == before + 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_says_it_in_each_language(qin: Table, language: str) -> None:
    for seat in range(3):
        vote(qin, seat)
    log = qin.players[0].get(f"{qin.path}/events?sentences=true&language={language}").json["events"]
    proposed, agreed, over = [[one["text"] for one in entry["sentences"]] for entry in log[-3:]]
    assert [len(some) for some in (proposed, agreed, over)] == [1, 1, 2]
    if language == "en":
        assert proposed[0].startswith("Player 0 proposes to end the match without a result;")
        assert over[1] == "The match was cancelled: all players agreed to end it."
