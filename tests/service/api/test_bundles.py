"""Bundles of matches: a reader can verify the whole bundle, and detects every change in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from msgspec import to_builtins

from domain.audit.bundle import read_bundle
from domain.audit.checks import check_bundle
from domain.audit.errors import Unproven
from domain.audit.log_checks import Trust
from domain.audit.texts import Salts, commitment, content_of, openings
from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from service.runtime.errors import ExportsBusy
from service.runtime.shares.fair_slots import FairSlots
from service.store.event_store import EventStore
from tests.service.api.bundles import (
    BY_BOTH,
    Bundle,
    commitment_of,
    corrupt,
    export_bundle,
    play_scored_match,
    second_verdict,
    second_verdicts,
    verdict,
    wrong_steps,
)
from tests.service.api.conftest import Api, moves, open_table, play_on, system
from workers.tools.check.verify import verify

SOME = [
    pytest.param(game, marks=() if game in ("great_wall", "qin") else pytest.mark.long)
    for game in GAMES
]
"""Games whose matches end early, or begin as they are opened: two hide something and draw."""
STEPS_OF_VERIFICATION = [
    "chain",
    "openings",
    "seed",
    "draws",
    "rules",
    "score",
    "inclusion",
    "note",
]


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_all_of_a_match_that_is_over_can_be_checked(
    game: str, ann: Api, bob: Api, nobody: Api, annals: Annals, tmp_path: Path
) -> None:
    table = play_scored_match(annals, ann, bob, game)
    bundle = export_bundle(nobody, table)
    steps = verdict(bundle)
    assert list(steps) == STEPS_OF_VERIFICATION
    assert {name for name, step in steps.items() if step.outcome == "ok"} >= {
        *STEPS_OF_VERIFICATION[:6]
    }, steps
    assert bundle == export_bundle(ann, table) | {"as": None}
    assert second_verdict(bundle, tmp_path) == {name: steps[name].outcome for name in BY_BOTH}
    audit = nobody.get(f"{table}/audit").json
    assert (audit["valid"], audit["first_invalid"], audit["head"]) == (True, None, bundle["head"])


def test_a_bundle_outlives_the_rules_by_which_it_was_played(
    ann: Api, bob: Api, annals: Annals
) -> None:
    """The verifier still confirms the random draws; it does not check the rules."""
    bundle = read_bundle(
        json.dumps(export_bundle(ann, play_scored_match(annals, ann, bob, "great_wall"))).encode()
    )
    assert any(line.draws for line in bundle.entries)
    game = GAMES["great_wall"]
    later = {game.key: replace(game, rules=game.rules + 1)}
    steps = {step.name: step for step in check_bundle(later, bundle, Trust())}
    assert {name for name, step in steps.items() if step.outcome == "ok"} >= {
        *STEPS_OF_VERIFICATION[:4]
    }
    assert not wrong_steps(steps)
    assert steps["rules"].outcome == steps["score"].outcome == "open"
    assert f"this program has version {game.rules + 1}." in steps["rules"].message


@pytest.mark.parametrize("game", SOME)
def test_an_abandoned_match_can_be_verified_with_all_hidden_facts(
    game: str, ann: Api, bob: Api, nobody: Api, annals: Annals, tmp_path: Path
) -> None:
    table = open_table(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    system(annals, table, lambda match, _: ending.close(match, "request"))
    bundle = export_bundle(nobody, table)
    steps = verdict(bundle)
    assert not wrong_steps(steps)
    assert ", 0 hidden" in steps["openings"].message
    assert "wrong" not in second_verdict(bundle, tmp_path).values()


def test_the_giver_of_the_seed_cannot_open_the_commitments(
    ann: Api, bob: Api, annals: Annals, tmp_path: Path
) -> None:
    seed = bytes(range(32))
    table = open_table(ann, bob, seed=seed.hex())
    bob.post(f"{table}/moves", {"move": moves(bob, table)[0]})
    assert export_bundle(ann, table)["salts"] is None
    text = export_bundle(ann, table)["entries"][2]["text"]
    [card] = [
        one for one in export_bundle(bob, table)["entries"][2]["openings"] if "card" in one["field"]
    ]
    version = json.loads(text)["version"]
    match = table.rpartition("/")[2]
    guessed = commitment(Salts(match, seed).salt(version, card["field"]), card["fact"].encode())
    assert commitment_of(card) in text
    assert guessed not in text
    for player in (bob, ann):
        player.post(f"{table}/resign")
    system(annals, table, lambda match, _: ending.score(match))
    bundle = export_bundle(ann, table)
    assert bundle["salts"] != bundle["seed"] == seed.hex()
    assert not wrong_steps(verdict(bundle))
    assert "wrong" not in second_verdict(bundle, tmp_path).values()
    assert ann.get(f"{table}/audit").json["valid"]


@pytest.mark.parametrize("game", SOME)
def test_a_match_that_began_as_it_was_opened_can_be_checked(
    game: str, ann: Api, annals: Annals, tmp_path: Path
) -> None:
    level = GAMES[game].levels[0].key
    seats = [{"me": True}, *[{"bot": level}] * (GAMES[game].seats[0] - 1)]
    table = ann.post("/v1/matches", {"game": game, "seats": seats, "nonce": "ab" * 32}).json
    path = f"/v1/matches/{table['id']}"
    assert ann.get(path).json["status"] == "active"
    ann.post(f"{path}/resign")
    system(annals, path, lambda match, _: ending.score(match))
    bundle = export_bundle(ann, path)
    assert not wrong_steps(verdict(bundle))
    assert "wrong" not in second_verdict(bundle, tmp_path).values()


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_each_seat_can_verify_its_view_of_a_match_in_play(
    game: str, ann: Api, bob: Api, nobody: Api, tmp_path: Path
) -> None:
    table = open_table(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    for player, seat in ((ann, 0), (bob, 1), (nobody, None)):
        bundle = export_bundle(player, table)
        assert (bundle["as"], bundle["seed"]) == (seat, None)
        outcomes = {name: step.outcome for name, step in verdict(bundle).items()}
        assert outcomes["chain"] == outcomes["openings"] == "ok"
        assert {*outcomes.values()} == {"ok", "open"}
        assert second_verdict(bundle, tmp_path) == {one: outcomes[one] for one in BY_BOTH}


def test_a_bundle_of_a_match_in_play_has_the_openings_of_its_seat(
    toy: str, ann: Api, bob: Api, nobody: Api
) -> None:
    for _ in range(4):
        play_on(toy, ann, bob, until=1)
    opens = {
        0: export_bundle(ann, toy),
        1: export_bundle(bob, toy),
        None: export_bundle(nobody, toy),
    }
    for own, bundle in opens.items():
        for other in opens:
            changed = {**bundle, "as": other}
            [second] = second_verdicts([json.dumps(changed)])
            expected = "ok" if own == other else "wrong"
            assert verdict(changed)["openings"].outcome == second["openings"] == expected


def test_a_bundle_for_spectators_opens_nothing_before_the_end(
    toy: str, nobody: Api, annals: Annals
) -> None:
    """Given a fact that no seat may know, when a bundle opens it, then both verifiers say so."""
    bundle = export_bundle(nobody, toy)
    match = annals.matches.latest(bundle["match"])
    first, *_ = annals.store.read(match.id)
    known = openings(Salts(match.id, match.salt_key), first, content_of(match.game, first))
    opening = next(opening for owner, opening in known if owner is None)
    changed = corrupt(
        bundle, lambda one: one["entries"][0]["openings"].append(to_builtins(opening))
    )
    [second] = second_verdicts([json.dumps(changed)])
    assert verdict(changed)["openings"].outcome == second["openings"] == "wrong"


def test_a_bundle_shows_no_more_than_the_seat_may_know(toy: str, ann: Api, bob: Api) -> None:
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    mine, theirs = export_bundle(bob, toy), export_bundle(ann, toy)
    assert [one["field"] for one in mine["entries"][2]["openings"]] == ["move", "events.0.card"]
    assert theirs["entries"][2]["openings"] == []
    assert [one["text"] for one in mine["entries"]] == [one["text"] for one in theirs["entries"]]


def test_the_command_prints_each_step(ann: Api, bob: Api, annals: Annals, tmp_path: Path) -> None:
    table = play_scored_match(annals, ann, bob, "qin")
    file = tmp_path / "match.annals.json"
    file.write_bytes(ann.get(f"{table}/export").data)
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 2, said.output  # this service has no log
    assert [
        line.split(":")[0].split()[1] for line in said.output.splitlines()
    ] == STEPS_OF_VERIFICATION
    file.write_text(file.read_text().replace('\\"kind\\":\\"Moved', '\\"kind\\":\\"Mooed', 1))
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 1
    assert "WRONG  chain: version 3: the head does not follow" in said.output


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "This is not a bundle of a match"),
        (b"\xff\xfe", "This is not a bundle of a match"),
        (b"[" * 100_000, "This is not a bundle of a match"),
        (b"{}", "Object missing required field"),
        (b'{"bundle":2}', "missing required field"),
    ],
)
def test_a_file_that_is_no_bundle_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 1
    assert says in said.output
    assert "Traceback" not in said.output


def test_one_must_say_what_to_verify() -> None:
    for words, says in (
        (["a.json"], "There is no file a.json."),
        (["./a"], "This is not a match id"),
        ([], "or use --all"),
        (["--every"], "No such option"),
        (["--quorum", "-1", __file__], "--quorum is a number from 1"),
    ):
        said = CliRunner().invoke(verify, words)
        assert (said.exit_code, says in said.output) == (64, True), said.output


@pytest.mark.parametrize("game", ["qin", "chang_cheng"])
def test_no_character_can_be_another_one(game: str, ann: Api, bob: Api, annals: Annals) -> None:
    """In texts, heads, openings and draws."""
    bundle, random = export_bundle(ann, play_scored_match(annals, ann, bob, game)), Random(game)
    for _ in range(60):
        changed = {**bundle, "entries": garble(bundle["entries"], random)}
        if changed != bundle:
            try:
                assert wrong_steps(verdict(changed)), changed
            except Unproven:
                continue


def garble(entries: list[Bundle], random: Random) -> list[Bundle]:
    """Entries with one changed character, which are still JSON."""
    place = random.randrange(len(entries))
    text = json.dumps(entries[place])
    while True:
        at, other = random.randrange(len(text)), random.choice("abcdef0123456789")
        try:
            found = json.loads(text[:at] + other + text[at + 1 :])
        except ValueError:
            continue
        if found.keys() == entries[place].keys():
            return [*entries[:place], found, *entries[place + 1 :]]


def test_exports_and_checks_are_made_once_for_all_who_want_them(
    toy: str, ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_on(toy, ann, bob, until=4)
    before = [export_bundle(ann, toy), ann.get(f"{toy}/audit").json, ann.get(f"{toy}/lines").json]
    monkeypatch.delattr(EventStore, "read")
    after = [export_bundle(ann, toy), bob.get(f"{toy}/audit").json, bob.get(f"{toy}/lines").json]
    assert before == after


@pytest.mark.parametrize("what", ["export", "audit"])
def test_exports_and_checks_are_refused_while_too_many_wait(what: str, toy: str, ann: Api) -> None:
    bundles = ann.app.extensions["annals"].bundles
    bundles._slots = FairSlots(0, 0, ExportsBusy)
    refused = ann.get(f"{toy}/{what}")
    assert (refused.status_code, refused.json["code"]) == (503, "exports_busy")
    assert refused.headers["Retry-After"] == "1"
