"""The lines of play of a match, and any version of them as each seat saw it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask

from domain.games import GAMES
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table, play_on
from tests.service.api.seated import Table, table

REPRESENTATIONS = ("", "/board.txt", "/board.svg")


def undone(app: Flask, game: str) -> Table:
    """A match with two moves, an undo of both, and one other move."""
    at = table(app, game, GAMES[game].seats[0], undo="free")
    at.play(2)
    start = at.version - 2
    assert at.players[0].post(f"{at.path}/undo", {"to": start}).status_code == 200
    at.play(1)
    return at


@pytest.mark.parametrize("game", GAMES)
def test_every_version_of_every_line_is_shown_as_it_was_when_it_was_played(
    app: Flask, game: str, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0], undo="free")
    start, seen = at.version, dict[str, Any]()
    for _ in range(2):
        at.play(1)
        for seat, player in enumerate(at.players):
            for shown in REPRESENTATIONS:
                place = f"{at.path}{shown}?version={at.version}&as={seat}"
                answer = player.get(place)
                if answer.status_code == 200:
                    seen[place] = (player, what_is_shown(answer))
    assert at.players[0].post(f"{at.path}/undo", {"to": start}).status_code == 200
    at.play(1)
    for place, (player, before) in seen.items():
        assert what_is_shown(player.get(place)) == before
    received = nobody.get(f"{at.path}/lines").json
    assert received["line"] == [start, start + 4]
    assert [undo["line"] for undo in received["undos"]] == [[start + 1, start + 2]]
    entries = nobody.get(f"{at.path}/events?after={start}").json["events"]
    assert [entry["kind"] for entry in entries] == ["Moved", "Moved", "Undone", "Moved"]


def what_is_shown(answer: Any) -> Any:
    """The game state of a match; all of a picture."""
    return answer.json["view"] if answer.is_json else answer.data


@pytest.mark.parametrize("game", GAMES)
def test_after_the_end_the_position_of_an_undone_version_is_shown_too(
    app: Flask, game: str, nobody: Api, annals: Annals
) -> None:
    at = undone(app, game)
    at.end(annals)
    received = nobody.get(f"{at.path}/lines").json
    [undo] = received["undos"]
    for version in (*received["line"], *undo["line"]):
        answer = nobody.get(f"{at.path}/position?version={version}")
        assert answer.status_code == 200
        for seat in range(len(at.players)):
            shown = nobody.get(f"{at.path}?version={version}&as={seat}").json
            assert (shown["version"], shown["as"]) == (version, seat)
            picture = nobody.get(f"{at.path}/board.svg?version={version}&as={seat}")
            assert picture.mimetype == "image/svg+xml"


def test_undone_entries_stay_in_the_chain(toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=4)
    ann.post(f"{toy}/undo", {"to": 2})
    bob.post(f"{toy}/undo/answer", {"agree": True})
    play_on(toy, ann, bob, until=8)
    head, found = bytes(32), ann.get(f"{toy}/events?proof=true").json["events"]
    for entry in found:
        head = sha256(b"annals/entry/1\n" + head + entry["proof"]["text"].encode()).digest()
        assert entry["head"] == head.hex()
    received = ann.get(f"{toy}/lines").json
    [undo] = received["undos"]
    kinds = {entry["version"]: json.loads(entry["proof"]["text"])["kind"] for entry in found}
    assert [kinds[version] for version in undo["line"]] == ["Moved", "Moved"]
    assert [kinds[version] for version in received["line"][1:]] == ["Moved", "Moved"]


def test_an_undo_shows_who_asked_who_agreed_and_when(toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=4)
    version = ann.post(f"{toy}/undo", {"to": 2}).json["version"]
    bob.post(f"{toy}/undo/answer", {"agree": True})
    received = ann.get(f"{toy}/lines").json
    [undo] = received["undos"]
    assert undo["player"] == undo["request"]["player"] == ann.id
    assert undo["request"]["version"] == version
    [agreed] = undo["approvals"]
    assert (agreed["player"], agreed["version"]) == (bob.id, undo["version"])
    assert agreed["at"] == undo["at"]
    assert (undo["to"], undo["line"], undo["redo"]) == (2, [3, 4], False)


def test_lines_come_in_pages_that_each_have_the_line_that_is_played(ann: Api, bob: Api) -> None:
    path = open_table(ann, bob, undo="free")
    for _ in range(3):
        play_on(path, ann, bob, until=ann.get(path).json["version"] + 1)
        ann.post(f"{path}/undo", {"to": 2})
    whole = ann.get(f"{path}/lines").json
    assert (len(whole["undos"]), whole["next"]) == (3, None)
    found, place = list[Any](), f"{path}/lines?limit=1"
    while place:
        answer = ann.get(place)
        assert answer.json["line"] == whole["line"]
        found += answer.json["undos"]
        place = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert found == whole["undos"]
    assert ann.get(f"{path}/lines?limit=0").json["code"] == "invalid"


def test_repeated_requests_for_lines_are_cheap(toy: str, ann: Api, bob: Api) -> None:
    first = ann.get(f"{toy}/lines")
    assert ann.get(f"{toy}/lines", If_None_Match=first.headers["ETag"]).status_code == 304
    play_on(toy, ann, bob, until=3)
    assert ann.get(f"{toy}/lines", If_None_Match=first.headers["ETag"]).status_code == 200


def test_the_lines_of_a_private_match_are_private(ann: Api, bob: Api, cid: Api) -> None:
    table = ann.post(
        "/v1/matches",
        {
            "game": "toy",
            "seats": [{"me": True}, {"invite": "Bob"}],
            "visibility": "private",
        },
    ).json
    path = f"/v1/matches/{table['id']}/lines"
    assert bob.get(path).json["line"] == []
    assert cid.get(path).json["code"] == "not_found"


def test_a_table_that_was_not_laid_has_no_line(ann: Api) -> None:
    path = open_table(ann)
    assert moves(ann, path) == []
    received = ann.get(f"{path}/lines").json
    assert received == {"version": 1, "line": [], "undos": [], "next": None}
