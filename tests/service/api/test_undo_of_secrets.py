"""Undo of simultaneous secret decisions over REST; The Great Wall has most of them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.match.decisions import lobby
from tests.service.api.conftest import Api, moves, open_table

SPOTS = {"0,2": "0:spearman", "0,3": "1:spearman", "1,2": "1:spearman", "1,3": "wound"}
TURN = ("EndTurn", "DefeatCheck", "AfterActivationStep", "ActivationStep", "AfterCommandStep")
WALKING = {"type": "MoveClerks", "seats": [0], "left": 1, "spread": "any"}
BEFORE_A_DEFEAT = {
    "clans": [{"tactics": ["heroic_fight"], "hand": []}, {"tactics": ["spoils_of_war"]}, {}],
    "tea": [0, 1, 2],
    "hordes": {"center": [{"card": "scouts_center", "spots": SPOTS}]},
    "track": [{"clan": 0, "card": "economy"}, None, None],
    "active": 0,
    "agenda": [{"type": "TakeTurn", "slot": 1}, *[{"type": name} for name in TURN], WALKING],
}
PASS = {"type": "PlayTactic"}
SPOILS = {"type": "PlayTactic", "card": "spoils_of_war"}


def move(player: Api, path: str, wanted: Any) -> list[str]:
    """Make a move; returns the types of its events, as the mover sees them."""
    answer = player.post(f"{path}/moves", {"move": wanted})
    assert answer.status_code == 201, answer.text
    return [event["type"] for event in answer.json["events"]]


def undo(player: Api, path: str) -> list[str]:
    """Undo the player's last move, or request it; returns the types of the events."""
    return [event["type"] for event in player.post(f"{path}/undo").json["events"]]


def agree(player: Api, path: str) -> list[str]:
    """Agree to the pending request."""
    answer = player.post(f"{path}/undo/answer", {"agree": True})
    return [event["type"] for event in answer.json["events"]]


def awaiting(player: Api, path: str) -> list[int]:
    """The seats that have to decide now."""
    return [one["seat"] for one in player.get(path).json["awaiting"]]


def events_of_kind(player: Api, path: str, kind: str) -> list[Any]:
    """All events of a type in the log, as this player may read them."""
    entries = player.get(f"{path}/events").json["events"]
    return [event for entry in entries for event in entry["events"] if event["type"] == kind]


def test_leaders_are_chosen_anew_and_the_first_choice_is_never_revealed(ann: Api, bob: Api) -> None:
    """GW-2.8"""
    path = open_table(ann, bob, game="great_wall")
    first, *others = moves(ann, path)
    assert move(ann, path, first) == ["LeadersChosen", "Awaiting"]
    assert undo(ann, path) == ["Undone"]
    assert awaiting(bob, path) == [0, 1]
    move(ann, path, others[-1])
    assert [event["leaders"] for event in events_of_kind(bob, path, "LeadersChosen")] == [
        None,
        None,
    ]
    kept = [event["leaders"]["general"] for event in events_of_kind(ann, path, "LeadersChosen")]
    assert kept == [first["general"], others[-1]["general"]]
    assert "LeadersRevealed" in move(bob, path, moves(bob, path)[0])
    assert undo(bob, path) == ["UndoRequested"]
    assert agree(ann, path) == ["UndoAnswered", "Undone"]
    assert awaiting(ann, path) == [1]


def test_command_cards_are_taken_back_after_they_were_shown_by_consent_only(
    ann: Api, bob: Api
) -> None:
    """GW-7.1, GW-7.2"""
    path = open_table(
        ann, bob, game="great_wall", position={"clans": [{}, {}, {}], "tea": [0, 1, 2]}
    )
    economy, betrayal = ({"type": "PlayCommand", "card": name} for name in ("economy", "betrayal"))
    move(ann, path, economy)
    assert undo(ann, path) == ["Undone"]
    move(ann, path, betrayal)
    assert "CommandsRevealed" in move(bob, path, economy)
    assert undo(bob, path) == ["UndoRequested"]
    assert agree(ann, path) == ["UndoAnswered", "Undone"]
    assert awaiting(ann, path) == [1]
    assert [event["card"] for event in events_of_kind(bob, path, "CommandChosen")] == [
        None,
        None,
        "economy",
    ]
    (revealed,) = (
        event
        for event in bob.post(f"{path}/moves", {"move": betrayal}).json["events"]
        if event["type"] == "CommandsRevealed"
    )
    assert revealed["cards"] == ["betrayal", "betrayal"]


def test_inside_a_moment_an_answer_is_taken_back_and_all_of_them_by_consent(
    ann: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GW-9.4; the match starts as a fork would, in the middle of a turn."""
    monkeypatch.setattr(lobby, "_check_position", lambda *_: None)
    path = open_table(ann, bob, game="great_wall", position=BEFORE_A_DEFEAT)
    move(ann, path, {"type": "Done"})
    assert awaiting(bob, path) == [0], "the moment after the own Command step"
    move(ann, path, PASS)
    assert awaiting(bob, path) == [0, 1], "a Horde card is about to be defeated"
    assert move(bob, path, SPOILS) == ["ReactionSealed", "Awaiting"]
    assert undo(bob, path) == ["Undone"]
    assert (awaiting(ann, path), SPOILS in map(tactic_card, moves(bob, path))) == ([0, 1], True)
    move(bob, path, SPOILS)
    sealed = [
        event["card"] for event in events_of_kind(ann, path, "ReactionSealed") if event["seat"] == 1
    ]
    assert sealed == [None, None]
    assert "TacticPlayed" in move(ann, path, PASS)
    assert undo(ann, path) == ["UndoRequested"]
    assert agree(bob, path) == ["UndoAnswered", "Undone"]
    assert awaiting(ann, path) == [0]
    assert "TacticPlayed" in move(ann, path, {"type": "LetPass", "until": "horde_defeated"})


def tactic_card(found: dict[str, Any]) -> dict[str, Any]:
    """A tactic card played without a boost."""
    return {
        key: found[key] for key in ("type", "card") if key in found and not found.get("boosted")
    }
