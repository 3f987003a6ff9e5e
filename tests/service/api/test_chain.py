"""Each seat can verify the chain of every match, from the answers of the service only."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table, play_on, system

PROOF = "?proof=true"


def check_heads(entries: list[Any]) -> list[Any]:
    """The texts of entries as JSON, after checking that their heads follow from them."""
    head = bytes(32)
    for entry in entries:
        text = entry["proof"]["text"].encode()
        head = hashlib.sha256(b"annals/entry/1\n" + head + text).digest()
        assert entry["head"] == head.hex()
    return [json.loads(entry["proof"]["text"]) for entry in entries]


def within(text: Any, field: str) -> Any:
    """The value of a field in a text."""
    for part in field.split("."):
        text = text[int(part) if part.isdigit() else part]
    return text


def opens(text: Any, opening: Any) -> bool:
    """Whether a commitment in a text was to this fact."""
    salted = bytes.fromhex(opening["salt"]) + opening["fact"].encode()
    found = within(text, opening["field"])["commitment"]
    return bool(found == hashlib.sha256(salted).hexdigest())


def commitments(text: Any) -> Iterator[str]:
    """The hidden fields of a text."""
    if "commitment" in (text["move"] or {}):
        yield "move"
    for number, event in enumerate(text["events"]):
        for name, value in event.items():
            if isinstance(value, dict) and value.keys() == {"commitment"}:
                yield f"events.{number}.{name}"


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_every_viewer_reads_the_same_chain(game: str, ann: Api, bob: Api, nobody: Api) -> None:
    table = open_table(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    seen = [one.get(f"{table}/events{PROOF}").json["events"] for one in (ann, bob, nobody)]
    texts = [check_heads(entries) for entries in seen]
    assert texts[0] == texts[1] == texts[2]
    assert ann.get(table).json["head"] == seen[0][-1]["head"]


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_a_seat_can_open_what_it_knows_and_nothing_else(
    game: str, ann: Api, bob: Api, nobody: Api
) -> None:
    table = open_table(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    for one in (ann, bob, nobody):
        entries = one.get(f"{table}/events{PROOF}").json["events"]
        for entry, text in zip(entries, check_heads(entries), strict=True):
            openings = {opening["field"]: opening for opening in entry["proof"]["openings"]}
            assert all(opens(text, opening) for opening in openings.values())
            for field in commitments(text):
                known = within(entry, field)
                if field in openings:
                    assert json.loads(openings[field]["fact"]) == known
                else:
                    assert known is None or {*known} == {None}


def test_lines_have_proofs_too(toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=5)
    lines = ann.get(f"{toy}/events.ndjson{PROOF}").text.splitlines()
    entries = ann.get(f"{toy}/events{PROOF}").json["events"]
    assert [json.loads(line) for line in lines[:-1]] == entries


def test_pages_with_proofs_lead_to_such_pages(toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=5)
    following = ann.get(f"{toy}/events{PROOF}&limit=2").headers["Link"]
    assert "?proof=true&" in following


def test_proofs_are_given_only_on_request(toy: str, ann: Api) -> None:
    assert "proof" not in ann.get(f"{toy}/events").json["events"][0]


def test_salts_follow_from_the_revealed_seed(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    bob.post(f"{toy}/resign")
    ann.post(f"{toy}/resign")
    system(annals, toy, lambda match, _: ending.score(match))
    match = ann.get(toy).json
    salts = bytes.fromhex(ann.get(f"{toy}/export").json["salts"])
    entries = ann.get(f"{toy}/events{PROOF}").json["events"]
    for entry, text in zip(entries, check_heads(entries), strict=True):
        assert {one["field"] for one in entry["proof"]["openings"]} == {*commitments(text)}
        for opening in entry["proof"]["openings"]:
            name = f"salt|{match['id']}|{entry['version']}|{opening['field']}"
            salt = hmac.digest(salts, name.encode(), "sha256")
            assert opening["salt"] == salt.hex()
            assert opens(text, opening)
