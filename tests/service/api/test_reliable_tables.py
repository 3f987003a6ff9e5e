"""Tables that ask for reliability, over REST and on the page."""

from __future__ import annotations

import pytest

from domain.match.decisions import playing
from service.matches.container import Annals
from tests.service.api.bundles import export_bundle, verdict, wrong_steps
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, system


@pytest.fixture
def late(ann: Api, bob: Api, annals: Annals, clock: Clock) -> Api:
    """A player whose time was up in their only match."""
    path = open_table(ann, bob, seed=None, clock={"per_move_s": 60})
    late_seat = ann.get(path).json["awaiting"][0]["seat"]
    clock.ms += 60_000
    system(annals, path, playing.time_out)
    fold_lists(annals)
    return (ann, bob)[late_seat]


def open_reliable(host: Api, percent: int | None, *seats: dict[str, object]) -> str:
    seats = seats or ({"open": True},)
    body = {"game": "toy", "seats": [{"me": True}, *seats], "min_reliability": percent}
    answer = host.post("/v1/matches", body)
    assert answer.status_code == 201, answer.text
    assert answer.json["min_reliability"] == percent
    return str(answer.headers["Location"])


def test_who_was_late_takes_only_seats_that_ask_for_less(late: Api, cid: Api) -> None:
    path = open_reliable(cid, 91)
    refused = late.post(f"{path}/seats")
    assert (refused.status_code, refused.json["code"]) == (403, "reliability_too_low")
    assert refused.json["detail"] == (
        "This table asks for a reliability of 91 %. Your time ran out in 1 of your last 1 matches"
        " with other people."
    )
    assert late.post(f"{open_reliable(cid, 90)}/seats").status_code == 201
    assert late.post(f"{open_reliable(cid, None)}/seats").status_code == 201


def test_an_invited_player_and_a_host_are_not_asked(late: Api, cid: Api) -> None:
    name = cid.get(f"/v1/players/{late.id}").json["name"]
    path = open_reliable(cid, 100, {"invite": name}, {"open": True})
    assert late.post(f"{path}/seats").status_code == 201
    path = open_reliable(late, 100)
    assert cid.post(f"{path}/seats").status_code == 201  # a new player
    assert wrong_steps(verdict(export_bundle(cid, path))) == set()


def test_lists_and_pages_say_what_a_table_asks_for(annals: Annals, cid: Api) -> None:
    path = open_reliable(cid, 90)
    fold_lists(annals)
    [listed] = cid.get("/v1/matches?status=open").json["matches"]
    assert listed["min_reliability"] == 90
    client = cid.app.test_client()
    browser = {"Accept": "text/html"}
    for page in "/?status=open", path.removeprefix("/v1"):
        assert "at least 90 %" in client.get(page, headers=browser).text


def test_it_is_a_number_of_percent(cid: Api) -> None:
    for wrong in (0, 101, "90", True):
        body = {"game": "toy", "seats": [{"me": True}, {"open": True}], "min_reliability": wrong}
        assert cid.post("/v1/matches", body).json["code"] == "invalid"
