"""Bundles with a chain that a forger recomputed: only the rules can detect the change."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.bundles import (
    Bundle,
    corrupt,
    export_bundle,
    recompute_chain,
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
