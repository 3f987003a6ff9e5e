"""A caller cannot see whether a match is in the archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from service.matches.container import Annals, open_annals
from tests.service.api.alike import without_ids
from tests.service.api.conftest import BOTH, Api, Clock, fold_lists, open_table
from tests.service.api.contract import WRITTEN
from tests.service.api.seated import Table, table
from tests.service.api.streams import read_stream
from tests.support.apps import app_over
from workers.tools.store.archive import archive_matches

MOVES = 6
ONE = "/v1/matches/{match_id}"
DRAWN = (".svg", ".png")
KEY = "0123456789abcdef"
IN_ARCHIVE = [
    pytest.param(game, marks=() if game in ("great_wall", "qin") else pytest.mark.long)
    for game in BOTH
]
"""The archive knows no game, so two with hidden pieces show for all what it keeps."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


def over(app: Flask, annals: Annals, game: str) -> Table:
    """A finished match of two players, with one undone move."""
    at = table(app, game, 2)
    at.play(MOVES)
    other = next(
        other
        for one, other in (at.players, at.players[::-1])
        if one.post(f"{at.path}/undo").status_code == 200
    )
    other.post(f"{at.path}/undo/answer", {"agree": True})
    at.play(1)
    at.end(annals)
    fold_lists(annals)
    return at


def afresh(annals: Annals, folder: Path, clock: Clock) -> tuple[Flask, Annals]:
    """The service right after a start: its caches hold no match."""
    opened = open_annals(replace(annals.settings, archive=str(folder)), BOTH)
    return app_over(replace(opened, now=clock)), replace(opened, now=clock)


def routes() -> list[str]:
    """All routes of one match, without the stream, which does not end."""
    return [
        path
        for path, item in WRITTEN["paths"].items()
        if path.startswith(ONE) and "get" in item and not path.endswith("/stream")
    ]


def answers(app: Flask, at: Table, *, checked: bool = True) -> Iterator[bytes]:
    """The answers to a player and a spectator on each route; pictures, which are slow to draw, only
    as a spectator. Unless `checked`, they are compared with answers that the contract describes.
    """
    for one in (None, at.players[1]):
        caller = Api(app, one.token, one.id) if one else Api(app)
        caller = caller if checked else caller.unchecked()
        paths = [f"/v1/matches?game={at.game}", f"/v1/matches?player={at.players[0].id}"]
        paths.append(f"/v1/matches?match={at.path.rpartition('/')[2]}&min_version={at.version}")
        for route in routes():
            path = at.path + route.removeprefix(ONE)
            if not path.endswith(DRAWN):
                paths += [path, f"{path}?version=4", f"{path}?after=5"]
            elif not one:
                paths.append(path)
        for path in paths:
            answer = caller.get(path)
            assert answer.status_code < 500
            yield without_ids(at.path, answer.data, answer.headers["X-Request-Id"])
        yield b"".join(read_stream(caller, f"{at.path}/stream?after=0", at.version))


@pytest.mark.parametrize("game", IN_ARCHIVE)
def test_an_archived_match_answers_in_the_same_bytes(
    game: str,
    app: Flask,
    annals: Annals,
    folder: Path,
    clock: Clock,
) -> None:
    at = over(app, annals, game)
    again, annals = afresh(annals, folder, clock)
    before = list(answers(again, at))
    assert archive_matches(annals, 0).matches == 1
    again, _ = afresh(annals, folder, clock)
    assert list(answers(again, at, checked=False)) == before
    assert annals.store.rows.read_stub(at.path.rpartition("/")[2])


def test_a_repeated_command_is_recognised(
    ann: Api, annals: Annals, folder: Path, clock: Clock
) -> None:
    plan = {"game": "toy", "seats": [{"me": True}, {"open": True}]}
    created = ann.post("/v1/matches", plan, Idempotency_Key=KEY)
    path = f"/v1/matches/{created.json['id']}"
    closed = ann.delete(path, Idempotency_Key="close-it")
    assert closed.status_code == 200
    app, annals = afresh(annals, folder, clock)
    assert archive_matches(annals, 0).matches == 1
    again = Api(app, ann.token, ann.id)
    repeated = again.post("/v1/matches", plan, Idempotency_Key=KEY)
    assert repeated.json["id"] == created.json["id"]
    assert again.delete(path, Idempotency_Key="close-it").json == closed.json
    other = again.post("/v1/matches", {**plan, "game": "qin"}, Idempotency_Key=KEY)
    assert other.json["code"] == "key_reused"
    assert annals.store.rows.read_stub(created.json["id"])


@pytest.mark.parametrize("game", IN_ARCHIVE)
def test_it_is_forked_as_before_and_stays_in_the_archive(
    game: str,
    app: Flask,
    annals: Annals,
    folder: Path,
    clock: Clock,
) -> None:
    at = over(app, annals, game)
    again, annals = afresh(annals, folder, clock)
    assert archive_matches(annals, 0).matches == 1
    caller = Api(again, at.players[0].token, at.players[0].id)
    undone = caller.get(f"{at.path}/lines").json["undos"][0]["line"][0]
    fork = caller.post(f"{at.path}/forks", {"version": undone}).json
    view = caller.get(f"/v1/matches/{fork['id']}?version=1&as=0").json["view"]
    assert view == caller.get(f"{at.path}?version={undone}&as=0").json["view"]
    fold_lists(annals)
    assert [one["id"] for one in caller.get(f"{at.path}/forks").json["matches"]] == [fork["id"]]
    assert annals.store.rows.read_stub(at.path.rpartition("/")[2])


def test_a_refusal_leaves_it_in_the_archive(
    app: Flask, annals: Annals, folder: Path, clock: Clock
) -> None:
    at = over(app, annals, "toy")
    refused = at.players[0].post(f"{at.path}/resign").json
    again, annals = afresh(annals, folder, clock)
    assert archive_matches(annals, 0).matches == 1
    received = Api(again, at.players[0].token).post(f"{at.path}/resign")
    assert (received.status_code, received.json["code"]) == (409, refused["code"])
    assert annals.store.rows.read_stub(at.path.rpartition("/")[2])


@pytest.mark.parametrize(
    ("gone", "status", "code"), [(True, 500, "corrupt"), (False, 503, "store_unavailable")]
)
def test_an_unreadable_match_affects_no_other(
    app: Flask,
    annals: Annals,
    folder: Path,
    clock: Clock,
    gone: bool,
    status: int,
    code: str,
) -> None:
    at = over(app, annals, "toy")
    other = open_table(at.players[0], game="toy")
    again, annals = afresh(annals, folder, clock)
    archive_matches(annals, 0)
    [pack] = folder.iterdir()
    pack.unlink()
    if not gone:
        pack.mkdir()  # no process can read this pack
    received = again.test_client().get(at.path)
    assert (received.status_code, received.get_json()["code"]) == (status, code)
    assert ("Retry-After" in received.headers) is (status == 503)
    assert Api(again).get(other).status_code == 200
