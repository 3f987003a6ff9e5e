"""The analysis of a match over REST: asked for, made by the analyst, then there for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from redis import Redis
from rq import Queue
from rq.job import Job

import workers.processes.analyst
from domain.games import GAMES
from domain.match.decisions import ending
from projections.analyses import sums_of
from service.matches.analyses import MOST_WAITING, QUEUE, tell_progress
from service.matches.container import Annals
from tests.service.api.conftest import Api, opened, system
from tests.service.api.seated import Table, table

Work = Callable[[], int]


@pytest.fixture
def work(annals: Annals, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Does all jobs of the analyst that wait; how many there were."""
    monkeypatch.setattr(workers.processes.analyst, "_annals", lambda: annals)
    monkeypatch.setattr(workers.processes.analyst, "_queue", lambda: redis_client)

    def do() -> int:
        queue, done = Queue(QUEUE, connection=redis_client), 0
        while queue.count:
            job = Job.fetch(str(queue.pop_job_id()), connection=redis_client)
            job.perform()
            job.delete()
            done += 1
        return done

    return do


def over(app: Flask, annals: Annals, game: str = "qin", moves: int = 4, **plan: Any) -> Table:
    """A match of two or more that was played a little and given up."""
    at = table(app, game, GAMES[game].seats[0], **plan)
    at.play(moves)
    at.end(annals)
    return at


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_is_asked_for_made_and_found(
    app: Flask, annals: Annals, nobody: Api, work: Work, game: str
) -> None:
    path = f"{over(app, annals, game).path}/analysis"
    waits = nobody.get(path)
    assert (waits.status_code, waits.headers["Retry-After"]) == (202, "2")
    assert waits.json == {"status": "waiting", "done": 0, "of": 0, "ahead": 0}
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


def test_sums_are_kept_beside_it(app: Flask, annals: Annals, nobody: Api, work: Work) -> None:
    path = over(app, annals).path
    match, store = path.rpartition("/")[2], annals.store
    nobody.get(f"{path}/analysis")
    work()
    seats = nobody.get(f"{path}/analysis").json["seats"]
    kept = sums_of(store.redis, GAMES["qin"], {match: store.partition_of(match)})
    assert [(one.luck, one.accuracy, one.error) for one in kept[match]] == [
        (seat["luck"], seat["accuracy"], seat["error"]) for seat in seats
    ]


def test_what_was_found_by_other_curves_counts_no_more(
    app: Flask, annals: Annals, nobody: Api, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = over(app, annals).path
    match, store, qin = path.rpartition("/")[2], annals.store, GAMES["qin"]
    nobody.get(f"{path}/analysis")
    work()
    known = nobody.get(f"{path}/analysis").headers["ETag"]
    fitted_again = replace(qin.calibration, command="by other matches")
    monkeypatch.setattr(type(qin.calibration), "mark", fitted_again.mark)
    assert nobody.get(f"{path}/analysis", If_None_Match=known).status_code == 202
    assert sums_of(store.redis, qin, {match: store.partition_of(match)}) == {}
    assert work() == 1
    assert nobody.get(f"{path}/analysis").status_code == 200


def test_it_is_told_how_far_it_is(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis
) -> None:
    path = over(app, annals).path
    tell_progress(redis_client, path.rpartition("/")[2], 3, 9)
    said = nobody.get(f"{path}/analysis").json
    assert said == {"status": "running", "done": 3, "of": 9, "ahead": 0}


def test_one_whose_analyst_was_ended_is_made_by_another(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis, work: Work
) -> None:
    path = f"{over(app, annals).path}/analysis"
    nobody.get(path)
    assert Queue(QUEUE, connection=redis_client).pop_job_id()  # and nothing was heard of it again
    assert nobody.get(path).json["status"] == "waiting"
    work()
    assert nobody.get(path).status_code == 200


def test_one_that_fails_is_told_and_tried_again_later(
    app: Flask, annals: Annals, nobody: Api, redis_client: Redis
) -> None:
    path = f"{over(app, annals).path}/analysis"
    nobody.get(path)
    queue = Queue(QUEUE, connection=redis_client)
    job = Job.fetch(str(queue.pop_job_id()), connection=redis_client)
    job.set_status("failed")
    refused = nobody.get(path)
    assert (refused.status_code, refused.json["code"]) == (503, "analysis_failed")
    job.delete()
    assert nobody.get(path).status_code == 202


def test_what_is_private_is_analysed_for_those_who_may_see_it(
    annals: Annals, nobody: Api, ann: Api, cid: Api
) -> None:
    path = opened(ann, game="qin", seats=[{"me": True}, {"bot": "li_mu"}], visibility="private")
    ann.post(f"{path}/resign")
    system(annals, path, lambda match, now: ending.score(match))
    for stranger in (nobody, cid):
        assert stranger.get(f"{path}/analysis").json["code"] == "not_found"
    assert ann.get(f"{path}/analysis").status_code == 202


def test_what_was_played_by_other_rules_is_not_analysed(
    app: Flask, annals: Annals, nobody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = over(app, annals).path
    monkeypatch.setattr(annals.matches.latest(path.rpartition("/")[2]), "rules", 0)
    refused = nobody.get(f"{path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (409, "other_rules")


def test_only_so_many_wait(app: Flask, annals: Annals, nobody: Api, redis_client: Redis) -> None:
    queue = Queue(QUEUE, connection=redis_client)
    for number in range(MOST_WAITING):
        queue.enqueue_call("workers.processes.analyst.analyse", args=(str(number),))
    refused = nobody.get(f"{over(app, annals).path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (503, "analyst_busy")
    assert refused.headers["Retry-After"]


def test_an_address_asks_for_some_an_hour(
    app: Flask, annals: Annals, nobody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.extensions["annals"].analysis_allowance, "_most", 1)
    first = over(app, annals)
    second = Table("qin", first.players, opened(*first.players, game="qin"))
    second.end(annals)
    assert nobody.get(f"{first.path}/analysis").status_code == 202
    refused = nobody.get(f"{second.path}/analysis")
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
    assert nobody.get(f"{first.path}/analysis").status_code == 202
