"""Bundles with a chain that a forger recomputed: only the rules can detect the change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.bundles import (
    Bundle,
    corrupt,
    export_bundle,
    recompute_chain,
    second_verdict,
    verdict,
    wrong_steps,
)
from tests.service.api.conftest import Api, open_table, play_on, system


def full_of_words(annals: Annals, ann: Api, bob: Api) -> Bundle:
    """A match with an undo that was requested and granted, in which both players resigned."""
    table = open_table(ann, bob, game="qin", clock={"bank_s": 600})
    play_on(table, ann, bob, until=6)
    assert ann.post(f"{table}/undo", {"to": 3}).json["events"][0]["type"] == "UndoRequested"
    assert bob.post(f"{table}/undo/answer", {"agree": True}).status_code == 200
    play_on(table, ann, bob, until=10)
    for player in (bob, ann):
        player.post(f"{table}/resign")
    system(annals, table, lambda match, _: ending.score(match))
    return export_bundle(ann, table)


def ended_by_agreement(annals: Annals, ann: Api, bob: Api) -> Bundle:
    """A match that both players paused, and agreed to end after a proposal was declined."""
    table = open_table(ann, bob, game="qin", clock={"bank_s": 600})
    for player in ann, bob:
        assert player.post(f"{table}/proposal", {"kind": "pause"}).status_code == 200
    assert bob.post(f"{table}/proposal", {"kind": "resume"}).status_code == 200
    for player, said in (bob, {}), (ann, {"agree": False}), (ann, {}), (bob, {"agree": True}):
        answer = player.post(f"{table}/proposal", {"kind": "end", **said})
        assert answer.status_code == 200, answer.json
    assert answer.json["status"] == "aborted"
    return export_bundle(ann, table)


def saying(kind: str, change: Callable[[Bundle], object]) -> Callable[[Bundle], None]:
    """A change to a member of the first entry of a kind."""

    def how(bundle: Bundle) -> None:
        for entry in bundle["entries"]:
            said = json.loads(entry["text"])
            if said["kind"] == kind:
                change(said)
                entry["text"] = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
                return
        raise AssertionError(f"There is no {kind}.")

    return how


def rules_version_mismatch(said: Bundle) -> None:
    said["rules"] += 1


FORGERIES: dict[str, Callable[[Bundle], object]] = {
    "another player moved": saying("Moved", lambda said: said.update(actor="u0000000000000000")),
    "a move that nobody made": saying("Moved", lambda said: said.update(kind="Given", move=None)),
    "an undo that nobody agreed to": saying("UndoRequested", lambda said: said.update(
        kind="Undone", events=[{"type": "Undone", "to": 3, "awaiting": [0]}])),
    "an undo with fewer asked": saying(
        "UndoRequested", lambda said: said["events"][0].update(asked=[])),
    "an answer of another player": saying(
        "UndoAnswered", lambda said: said.update(actor="u0000000000000000")),
    "an undo to another version": saying(
        "UndoAnswered", lambda said: said["events"][1].update(to=4)),
    "a resignation of another player": saying(
        "Resigned", lambda said: said["events"][0].update(seat=0)),
    "an end of no kind": saying("Resigned", lambda said: said.update(
        kind="Given", events=[{"type": "Ended", "reason": "rules"}])),
}  # fmt: skip


FORGED_ENDS: dict[str, Callable[[Bundle], object]] = {
    "an end that nobody proposed": saying("Proposed", lambda said: said.update(kind="Aborted",
        events=[{"type": "Aborted", "reason": "agreement", "seed": "00" * 32}])),
    "a proposal with fewer asked": saying(
        "Proposed", lambda said: said["events"][0].update(asked=[])),
    "a proposal of another player": saying(
        "Proposed", lambda said: said["events"][0].update(player="u0000000000000000")),
    "an answer of another player": saying(
        "ProposalAnswered", lambda said: said.update(actor="u0000000000000000")),
    "a refusal that became consent": saying(
        "ProposalAnswered", lambda said: said["events"][0].update(agree=True)),
    "a pause that nobody proposed": saying("Paused", lambda said: said["events"].pop(0)),
    "a pause that takes time": saying(
        "Paused", lambda said: said["events"][2]["clocks"].update(banks=[1, 1])),
    "a resumption by a stranger": saying(
        "Resumed", lambda said: said.update(actor="u0000000000000000")),
    "a resumption that gives time": saying(
        "Resumed", lambda said: said["events"][1]["clocks"].update(banks=[900_000, 900_000])),
    "an end by a player who was not asked": saying(
        "Aborted", lambda said: said.update(actor="u0000000000000000")),
    "an end without consent": saying("Aborted", lambda said: said["events"].pop(0)),
}  # fmt: skip


@pytest.fixture
def bundle(ann: Api, bob: Api, annals: Annals) -> Bundle:
    return full_of_words(annals, ann, bob)


def test_a_match_with_an_undo_and_resignations_follows_from_what_was_asked(bundle: Bundle) -> None:
    steps = verdict(bundle)
    assert (steps["rules"].outcome, steps["score"].outcome) == ("ok", "ok"), steps


@pytest.mark.parametrize("how", FORGERIES.values(), ids=FORGERIES)
def test_a_decision_that_no_player_made_is_detected(
    how: Callable[[Bundle], object], bundle: Bundle
) -> None:
    forged = corrupt(bundle, how)
    recompute_chain(forged)
    assert "rules" in wrong_steps(verdict(forged)), verdict(forged)


def test_entries_that_say_they_are_of_other_rules_are_not_called_sound(bundle: Bundle) -> None:
    forged = corrupt(bundle, saying("Resigned", rules_version_mismatch))
    recompute_chain(forged)
    step = verdict(forged)["rules"]
    assert (step.outcome, step.message[:5]) == ("open", "1 of "), step


def test_an_end_by_agreement_follows_from_the_answers(
    ann: Api, bob: Api, annals: Annals, tmp_path: Path
) -> None:
    bundle = ended_by_agreement(annals, ann, bob)
    steps = verdict(bundle)
    assert {name for name, step in steps.items() if step.outcome == "wrong"} == set()
    assert (steps["rules"].outcome, steps["seed"].outcome) == ("ok", "ok")
    assert "wrong" not in second_verdict(bundle, tmp_path).values()


@pytest.mark.parametrize("how", FORGED_ENDS.values(), ids=FORGED_ENDS)
def test_an_end_that_the_players_did_not_agree_on_is_detected(
    how: Callable[[Bundle], object], ann: Api, bob: Api, annals: Annals
) -> None:
    forged = corrupt(ended_by_agreement(annals, ann, bob), how)
    recompute_chain(forged)
    assert "rules" in wrong_steps(verdict(forged)), verdict(forged)
