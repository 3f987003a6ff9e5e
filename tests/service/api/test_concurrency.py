"""Concurrent callers, over the caches of several processes: one order, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from service.matches.container import Annals, open_annals
from tests.service.api.conftest import Api, moves, open_table, read_everything
from tests.support.apps import app_over


@pytest.fixture
def twin(annals: Annals) -> Annals:
    """The same service as in another process."""
    return replace(open_annals(annals.settings, annals.games), now=annals.now)


def at_once(*calls: Callable[[], TestResponse]) -> list[TestResponse]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def versions(player: Api, path: str) -> list[int]:
    return [entry["version"] for entry in player.get(f"{path}/events").json["events"]]


@pytest.mark.parametrize("writers", [2, 10])
def test_of_several_moves_at_one_version_one_succeeds(
    toy: str, ann: Api, twin: Annals, writers: int
) -> None:
    there = Api(app_over(twin), ann.token, ann.id)
    move = {"move": moves(ann, toy)[0]}
    callers = [(ann, there)[i % 2] for i in range(writers)]
    answers = at_once(
        *(
            lambda caller=caller: caller.post(f"{toy}/moves", move, If_Match='"2"')
            for caller in callers
        )
    )
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: writers - 1}
    assert versions(ann, toy) == [1, 2, 3]


def test_ten_times_the_same_move_without_a_version_is_made_once(toy: str, ann: Api) -> None:
    move = {"move": moves(ann, toy)[0]}
    answers = at_once(*[lambda: ann.post(f"{toy}/moves", move)] * 10)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 403: 9}
    assert versions(ann, toy) == [1, 2, 3]


def test_ten_times_the_same_key_is_carried_out_once_and_answered_ten_times(
    toy: str, ann: Api, twin: Annals
) -> None:
    there = Api(app_over(twin), ann.token, ann.id)
    move = {"move": moves(ann, toy)[0]}
    answers = at_once(
        *[lambda: ann.post(f"{toy}/moves", move, Idempotency_Key="k")] * 5,
        *[lambda: there.post(f"{toy}/moves", move, Idempotency_Key="k")] * 5,
    )
    assert {answer.data for answer in answers} == {answers[0].data}
    assert Counter(answer.status_code for answer in answers) == {201: 10}
    replayed = Counter(answer.headers.get("Idempotency-Replayed") for answer in answers)
    assert replayed == {None: 1, "true": 9}
    assert versions(ann, toy) == [1, 2, 3]


def test_seats_that_decide_at_once_do_not_disturb_each_other(
    toy: str, ann: Api, bob: Api, twin: Annals
) -> None:
    there = Api(app_over(twin), bob.token, bob.id)
    anns, bobs = {"move": moves(ann, toy)[0]}, {"move": moves(bob, toy)[0]}
    answers = at_once(
        lambda: ann.post(f"{toy}/moves", anns), lambda: there.post(f"{toy}/moves", bobs)
    )
    assert sorted(answer.json["version"] for answer in answers) == [3, 4]
    assert ann.get(toy).data == Api(there.app, ann.token).get(toy).data


def test_of_several_players_one_takes_a_seat(ann: Api, bob: Api, cid: Api, annals: Annals) -> None:
    path = open_table(ann)
    answers = at_once(*(lambda who=who: who.post(f"{path}/seats") for who in (bob, cid)))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 1}
    assert len([key for key, _ in read_everything(annals) if b":match:" in key]) == 1
