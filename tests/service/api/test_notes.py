"""Private notes: for their author alone, at a version of a match, erased with the account."""

from __future__ import annotations

import pytest

from service.accounts import notes as kept
from service.channels.account_deletion import delete_account
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table


@pytest.fixture
def path(ann: Api, bob: Api) -> str:
    """A match of two players, after a move."""
    match = open_table(ann, bob)
    ann.post(f"{match}/moves", {"move": moves(ann, match)[0]})
    return match


def notes_of(who: Api, path: str) -> list[tuple[int, str]]:
    return [(one["version"], one["text"]) for one in who.get(f"{path}/notes").json["notes"]]


def test_only_the_author_reads_a_note(ann: Api, bob: Api, nobody: Api, path: str) -> None:
    assert ann.put(f"{path}/notes/2", {"text": "Bob hesitated"}).status_code == 200
    assert ann.put(f"{path}/notes/1", {"text": "first"}).status_code == 200
    assert notes_of(ann, path) == [(1, "first"), (2, "Bob hesitated")]
    assert notes_of(bob, path) == []
    assert nobody.get(f"{path}/notes").json["code"] == "unauthorized"
    assert bob.delete(f"{path}/notes/2").json["code"] == "not_found"
    assert notes_of(ann, path) == [(1, "first"), (2, "Bob hesitated")]


def test_nobody_else_sees_that_there_are_notes(ann: Api, bob: Api, path: str) -> None:
    """The match, its entries and its bundle are the same, byte by byte."""
    seen = [path, f"{path}/events", f"{path}/export", f"{path}/board.svg"]
    before = [bob.get(one).data for one in seen]
    ann.put(f"{path}/notes/2", {"text": "secret plan"})
    assert [bob.get(one).data for one in seen] == before


def test_a_note_can_be_changed_and_removed(ann: Api, path: str) -> None:
    ann.put(f"{path}/notes/1", {"text": "one"})
    ann.put(f"{path}/notes/1", {"text": "two"})
    assert notes_of(ann, path) == [(1, "two")]
    assert ann.delete(f"{path}/notes/1").status_code == 204
    assert notes_of(ann, path) == []
    assert ann.delete(f"{path}/notes/1").json["code"] == "not_found"


@pytest.mark.parametrize("version", [0, 99])
def test_a_note_is_about_a_version_that_exists(ann: Api, path: str, version: int) -> None:
    assert ann.put(f"{path}/notes/{version}", {"text": "x"}).json["code"] == "not_found"


@pytest.mark.parametrize("text", ["", "x" * 2_001, None, 3])
def test_a_text_has_a_length(ann: Api, path: str, text: object) -> None:
    assert ann.put(f"{path}/notes/1", {"text": text}).status_code == 400
    assert notes_of(ann, path) == []


def test_spectators_write_notes_about_public_matches_only(ann: Api, cid: Api, path: str) -> None:
    assert cid.put(f"{path}/notes/1", {"text": "watched"}).status_code == 200
    body = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}], "visibility": "private"}
    private = ann.post("/v1/matches", body).headers["Location"]
    assert cid.put(f"{private}/notes/1", {"text": "x"}).json["code"] == "not_found"


@pytest.mark.parametrize("limit", ["MAX_NOTES", "MAX_MATCHES"])
def test_notes_are_bounded(
    ann: Api, bob: Api, path: str, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """An earlier note can be changed, even then."""
    monkeypatch.setattr(kept, limit, 1)
    other = f"{path}/notes/2" if limit == "MAX_NOTES" else f"{open_table(ann, bob)}/notes/1"
    assert ann.put(f"{path}/notes/1", {"text": "kept"}).status_code == 200
    assert ann.put(other, {"text": "more"}).json["code"] == "too_many_notes"
    assert ann.put(f"{path}/notes/1", {"text": "changed"}).status_code == 200
    assert notes_of(ann, path) == [(1, "changed")]


def test_they_are_erased_with_the_account(ann: Api, annals: Annals, path: str) -> None:
    ann.put(f"{path}/notes/1", {"text": "mine"})
    player = annals.players.by_id(ann.id)
    assert player
    assert [*annals.store.redis.scan_iter(f"player:{ann.id}:notes*")]
    delete_account(annals, player, wait_s=0)
    assert not [*annals.store.redis.scan_iter(f"player:{ann.id}:notes*")]
