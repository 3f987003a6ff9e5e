"""The analysis of a match over REST: requested, made by the analyst, then available to all."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from redis import Redis
from rq import Queue
from rq.job import Job

import workers.processes.analyst
from domain.analysis import turning_points
from domain.analysis.turning_points import TurningPoint
from domain.engine.codecs.json_codec import to_json
from domain.engine.dice import Luck
from domain.engine.game import advance, legal_moves
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.games.hansa_teutonica.moves import LiftPiece, PutPiece
from domain.match.decisions import ending
from projections.analyses import read_analysis, read_seat_sums
from service.matches.analyses import MAX_QUEUED, QUEUE_NAME, store_progress
from service.matches.container import Annals
from service.matches.turning_points import find_better_move, list_turning_points
from service.runtime import event_loop
from tests.service.api.conftest import Api, open_table, system
from tests.service.api.seated import Table, table

Work = Callable[[], int]


@pytest.fixture
def work(annals: Annals, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Runs all waiting jobs of the analyst; returns their number."""
    monkeypatch.setattr(workers.processes.analyst, "_annals", lambda: annals)
    monkeypatch.setattr(workers.processes.analyst, "_queue", lambda: redis_client)

    def do() -> int:
        queue, done = Queue(QUEUE_NAME, connection=redis_client), 0
        while queue.count:
            job = Job.fetch(str(queue.pop_job_id()), connection=redis_client)
            job.perform()
            job.delete()
            done += 1
        return done

    return do


def over(app: Flask, annals: Annals, game: str = "qin", moves: int = 4, **plan: Any) -> Table:
    """A match of two or more players that ended by resignation after a few moves."""
    at = table(app, game, GAMES[game].seats[0], **plan)
    at.play(moves)
    at.end(annals)
    return at


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_is_requested_made_and_found(
    app: Flask, annals: Annals, nobody: Api, work: Work, game: str
) -> None:
    path = f"{over(app, annals, game).path}/analysis"
    waits = nobody.get(path)
    assert (waits.status_code, waits.headers["Retry-After"]) == (202, "2")
    assert waits.json == {"status": "waiting", "done": 0, "total": 0, "ahead": 0}
    assert nobody.get(path).json["status"] == "waiting"
    assert work() == 1
    found = nobody.get(path)
    assert found.status_code == 200
    assert len(found.json["choices"]) == 4
    for seat in found.json["seats"]:
        gained = seat["luck"] + seat["own"] + seat["others"]
        assert gained == pytest.approx(seat["result"] - seat["start"])
    assert nobody.get(path, If_None_Match=found.headers["ETag"]).status_code == 304
    assert work() == 0


def test_a_picture_is_there_once_the_analysis_is(
    app: Flask, annals: Annals, nobody: Api, work: Work
) -> None:
    path = f"{over(app, annals).path}/analysis.svg"
    assert nobody.get(path).json["status"] == "waiting"
    work()
    found = nobody.get(path)
    assert found.mimetype == "image/svg+xml"
    assert "Player 0" in found.text
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]


@pytest.mark.parametrize("game", GAMES)
def test_turning_points_are_put_in_words_and_better_moves_are_drawn(
    app: Flask, annals: Annals, nobody: Api, work: Work, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """In a match of random moves, in which each error counts."""
    monkeypatch.setattr(turning_points, "MIN_CHANGE", 1e-6)
    path = over(app, annals, game, moves=12).path
    waiting = [nobody.get(f"{path}/{form}") for form in ("turning-points", "better.svg?version=3")]
    assert [one.status_code for one in waiting] == [202, 202]
    work()
    analysis = nobody.get(f"{path}/analysis").json
    for language in LANGUAGES:
        address = f"{path}/turning-points?language={language}"
        found = nobody.get(address)
        points = found.json["turning_points"]
        assert [one["version"] for one in points] == analysis["turning_points"]
        assert all(one["sentences"] or one["choice"] for one in points)
        assert nobody.get(address, If_None_Match=found.headers["ETag"]).status_code == 304
        better = [one for one in points if one["best_sentences"]]
        assert better
        assert [one["reason"] for one in better] == ["error"] * len(better)
        assert all(one["change"] == -one["choice"]["error"] for one in better)
        assert [one["change"] for one in points] == [
            one["change"] for one in analysis["turning_point_changes"]
        ]
        assert all(one["best_sentences"] != one["sentences"] for one in better)
        assert all(one["choice"] in analysis["choices"] for one in better)
        assert all(one["seat"] == one["choice"]["seat"] for one in better)


def test_the_better_move_is_drawn_as_its_seat_saw_the_board(
    app: Flask, annals: Annals, nobody: Api, work: Work
) -> None:
    path = over(app, annals, moves=12).path
    nobody.get(f"{path}/analysis")
    work()
    choices = nobody.get(f"{path}/analysis").json["choices"]
    one = next(choice for choice in choices if choice["best"])
    address, before = f"{path}/better.svg?version={one['version']}", one["version"] - 1
    drawn = nobody.get(address)
    shown = nobody.get(f"{path}/board.svg?version={before}&as={one['seat']}")
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.text != shown.text
    panels = 'data-panel="[^"]*"'
    assert re.findall(panels, drawn.text) == re.findall(panels, shown.text)
    assert nobody.get(address, If_None_Match=drawn.headers["ETag"]).status_code == 304
    for version in (1, 10_000):
        assert nobody.get(f"{path}/better.svg?version={version}").json["code"] == "not_found"
    assert nobody.get(f"{path}/better.svg").json["code"] == "invalid"
    strip, chart = (nobody.get(f"{path}/analysis.svg?form={one}") for one in ("strip", "chart"))
    assert 'preserveAspectRatio="none"' in strip.text
    assert 'preserveAspectRatio="none"' not in chart.text
    assert strip.headers["ETag"] != chart.headers["ETag"]


def test_a_better_move_that_only_begins_something_is_completed(
    app: Flask, annals: Annals, nobody: Api, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A piece that is picked up goes to a post: only that changes the board. Others have their turn
    while the posts are compared.
    """
    path = over(app, annals, "hansa_teutonica", moves=12).path
    nobody.get(f"{path}/analysis")
    work()
    match = annals.matches.latest(path.rpartition("/")[2])
    partition = annals.store.partition_of(match.id)
    found = read_analysis(annals.store.redis, partition, match.game, match.id)
    assert found
    choice, lift = next(
        (one, move)
        for one in found.choices
        for move in legal_moves(
            match.game, annals.matches.at(match.id, one.version - 1).state, one.seat
        )
        if isinstance(move, LiftPiece)
    )
    better = replace(choice, best=to_json(lift))
    error = TurningPoint(better.version, better.seat, -1.0, is_error=True)
    lifted = replace(found, choices=(better,), turning_point_changes=(error,))
    (point,) = list_turning_points(annals, match, lifted, ENGLISH)
    assert "moves" in point.best_sentences[0].text
    pauses: list[float] = []
    monkeypatch.setattr(event_loop, "STEP_S", -1.0)  # each step takes longer
    monkeypatch.setattr(event_loop, "pause", pauses.append)
    before = annals.matches.at(match.id, better.version - 1).state.copy()
    already = len(pauses)
    better_move = find_better_move(annals, match, lifted, better.version)
    assert isinstance(better_move.move, PutPiece)
    advance(match.game, before, lift, Luck(0))
    assert len(pauses) - already >= len(legal_moves(match.game, before, better.seat)) > 1


def test_a_match_in_play_has_no_turning_points(app: Flask, nobody: Api) -> None:
    path = table(app, "qin", 2).path
    for form in ("turning-points", "better.svg?version=2", "analysis.svg?form=strip"):
        assert nobody.get(f"{path}/{form}").json["code"] == "not_scored"


def test_sums_are_stored_beside_it(app: Flask, annals: Annals, nobody: Api, work: Work) -> None:
    path = over(app, annals).path
    match, store = path.rpartition("/")[2], annals.store
    nobody.get(f"{path}/analysis")
    work()
    seats = nobody.get(f"{path}/analysis").json["seats"]
    kept = read_seat_sums(store.redis, GAMES["qin"], {match: store.partition_of(match)})
    assert [(one.luck, one.accuracy, one.error) for one in kept[match]] == [
        (seat["luck"], seat["accuracy"], seat["error"]) for seat in seats
    ]


def test_results_of_other_curves_are_ignored(
    app: Flask, annals: Annals, nobody: Api, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = over(app, annals).path
    match, store, qin = path.rpartition("/")[2], annals.store, GAMES["qin"]
    nobody.get(f"{path}/analysis")
    work()
    known = nobody.get(f"{path}/analysis").headers["ETag"]
    fitted_again = replace(qin.resources.calibration, command="by other matches")
    monkeypatch.setattr(type(qin.resources.calibration), "mark", fitted_again.mark)
    assert nobody.get(f"{path}/analysis", If_None_Match=known).status_code == 202
    assert read_seat_sums(store.redis, qin, {match: store.partition_of(match)}) == {}
    assert work() == 1
    assert nobody.get(f"{path}/analysis").status_code == 200


def test_the_progress_is_shown(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis
) -> None:
    path = over(app, annals).path
    store_progress(redis_client, path.rpartition("/")[2], 3, 9)
    said = nobody.get(f"{path}/analysis").json
    assert said == {"status": "running", "done": 3, "total": 9, "ahead": 0}


def test_one_whose_analyst_was_ended_is_made_by_another(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis, work: Work
) -> None:
    path = f"{over(app, annals).path}/analysis"
    nobody.get(path)
    assert Queue(QUEUE_NAME, connection=redis_client).pop_job_id()  # and its process died
    assert nobody.get(path).json["status"] == "waiting"
    work()
    assert nobody.get(path).status_code == 200


def test_a_failure_is_reported_and_retried_later(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis
) -> None:
    path = f"{over(app, annals).path}/analysis"
    nobody.get(path)
    queue = Queue(QUEUE_NAME, connection=redis_client)
    job = Job.fetch(str(queue.pop_job_id()), connection=redis_client)
    job.set_status("failed")
    refused = nobody.get(path)
    assert (refused.status_code, refused.json["code"]) == (503, "analysis_failed")
    job.delete()
    assert nobody.get(path).status_code == 202


def test_a_private_match_is_analysed_for_its_players(
    annals: Annals, nobody: Api, ann: Api, cid: Api
) -> None:
    path = open_table(ann, game="qin", seats=[{"me": True}, {"bot": "li_mu"}], visibility="private")
    ann.post(f"{path}/resign")
    system(annals, path, lambda match, now: ending.score(match))
    for stranger in (nobody, cid):
        for form in ("analysis", "turning-points", "better.svg?version=2"):
            assert stranger.get(f"{path}/{form}").json["code"] == "not_found"
    assert ann.get(f"{path}/analysis").status_code == 202


def test_a_match_of_another_rules_version_is_not_analysed(
    app: Flask, annals: Annals, nobody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = over(app, annals).path
    monkeypatch.setattr(annals.matches.latest(path.rpartition("/")[2]), "rules", 0)
    refused = nobody.get(f"{path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (409, "rules_version_mismatch")


def test_the_queue_is_bounded(app: Flask, annals: Annals, nobody: Api, redis_client: Redis) -> None:
    queue = Queue(QUEUE_NAME, connection=redis_client)
    for number in range(MAX_QUEUED):
        queue.enqueue_call("workers.processes.analyst.analyse", args=(str(number),))
    refused = nobody.get(f"{over(app, annals).path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (503, "analyst_busy")
    assert refused.headers["Retry-After"]


def test_an_address_asks_for_some_an_hour(
    app: Flask, annals: Annals, nobody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.extensions["annals"].analysis_quota, "_limit", 1)
    first = over(app, annals)
    second = Table("qin", first.players, open_table(*first.players, game="qin"))
    second.end(annals)
    assert nobody.get(f"{first.path}/analysis").status_code == 202
    refused = nobody.get(f"{second.path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
    assert nobody.get(f"{first.path}/analysis").status_code == 202
