"""Restoring an undone line over REST, in every game: what all see then is what they saw on it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from domain.games import GAMES
from service.matches.container import Annals
from tests.service.api.bundles import export_bundle, second_verdicts, verdict
from tests.service.api.conftest import Api
from tests.service.api.seated import Table, table


def agree(at: Table) -> None:
    """Let all who are asked agree to the request."""
    for player in at.players:
        request = player.get(at.path).json["undo_request"]
        if request and player.id in request["waiting_for"]:
            answer = player.post(f"{at.path}/undo/answer", {"agree": True})
            assert answer.status_code == 200


def views(at: Table) -> list[Any]:
    return [player.get(at.path).json["view"] for player in at.players]


@pytest.mark.parametrize("game", GAMES)
def test_a_line_is_restored_by_consent_as_all_had_seen_it(
    app: Flask, annals: Annals, nobody: Api, game: str
) -> None:
    at = table(app, game, GAMES[game].seats[0])
    start = at.version
    at.play(3)
    seen = views(at)
    ask(at, "undo", start)
    at.play(1)
    newer = at.version
    moves = ask(at, "redo", start + 3)["moves"]
    assert (moves["own"] + moves["others"], moves["instead"]) == (3, 1)
    assert views(at) == seen
    lines = nobody.get(f"{at.path}/lines").json
    assert lines["line"] == [start, start + 1, start + 2, start + 3]
    redo = lines["undos"][-1]
    assert (redo["line"], redo["branches_from"], redo["redo"]) == ([newer], start, True)
    at.play(1)
    at.end(annals)
    bundle = export_bundle(nobody, at.path)
    assert {step.outcome for step in verdict(bundle).values()} <= {"ok", "open"}
    assert {*second_verdicts([json.dumps(bundle)])[0].values()} <= {"ok", "open"}


def ask(at: Table, what: str, to: int) -> Any:
    """Ask for an undo or redo to a version; the pending request, to which the others agree."""
    answer = at.players[0].post(f"{at.path}/{what}", {"to": to})
    assert answer.status_code == 200, answer.text
    request = at.players[0].get(at.path).json["undo_request"]
    agree(at)
    return request
