"""Patience with players who stay away, over REST."""

from __future__ import annotations

import pytest
from flask import Flask

from domain.match.decisions import absence
from service.matches.container import Annals
from tests.service.api.bundles import export_bundle, verdict
from tests.service.api.conftest import Api, Clock, fold_lists, system
from tests.service.api.seated import Table, table

DAY_MS = 86_400_000
BOT, END = {"kind": "bot"}, {"kind": "end"}


def waiting(app: Flask, annals: Annals, clock: Clock, seats: int = 3) -> tuple[Table, Api, Api]:
    """A match whose others have waited for the first player for a week; the absent player, and
    another one.
    """
    at = table(app, "qin", seats, patience_days=7, options={"first_player": "seat:0"})
    shown = at.players[0].get(at.path).json
    assert shown["patience_days"] == 7
    [awaited] = shown["awaiting"]
    assert (awaited["patience_until"] is None, awaited["absent"]) == (False, False)
    assert at.players[1].post(f"{at.path}/proposal", BOT).json["code"] == "no_absent_player"
    clock.ms += 8 * DAY_MS
    system(annals, at.path, absence.end_patience)
    [awaited] = at.players[0].get(at.path).json["awaiting"]
    assert (awaited["patience_until"], awaited["absent"]) == (None, True)
    return at, at.players[0], at.players[1]


def test_the_others_let_a_bot_play_on_and_the_match_stays_proven(
    app: Flask, annals: Annals, cid: Api, clock: Clock
) -> None:
    at, absent, other = waiting(app, annals, clock)
    assert other.post(f"{at.path}/proposal", BOT).json["events"][0]["asked"] == [at.players[2].id]
    assert absent.post(f"{at.path}/proposal", {**BOT, "agree": False}).status_code == 403
    agreed = at.players[2].post(f"{at.path}/proposal", {**BOT, "agree": True}).json["events"]
    assert [one["type"] for one in agreed] == ["ProposalAnswered", "TimedOut", "BotSeated"]
    fold_lists(annals)
    [listed] = cid.get("/v1/matches?status=active").json["matches"]
    assert (listed["patience_days"], listed["seats"][0]["timed_out"]) == (7, True)
    assert absent.post(f"{at.path}/reclaim").status_code == 200
    at.play(2)
    at.end(annals)
    assert verdict(export_bundle(cid, at.path))["rules"].outcome == "ok"


def test_the_only_other_player_ends_a_match_alone(
    app: Flask, annals: Annals, cid: Api, clock: Clock
) -> None:
    at, _, other = waiting(app, annals, clock, seats=2)
    fold_lists(annals)
    [listed] = cid.get("/v1/matches?status=active").json["matches"]
    assert listed["awaiting"][0]["absent"]
    other.post(f"{at.path}/proposal", END)
    over = cid.get(at.path).json
    assert (over["status"], over["end_reason"], over["result"]) == ("aborted", "absence", None)
    assert verdict(export_bundle(cid, at.path))["rules"].outcome == "ok"


def test_a_table_without_a_clock_has_two_weeks_and_no_other_table_has_any(ann: Api) -> None:
    two, alone = [{"me": True}, {"open": True}], [{"me": True}, {"bot": "li_mu"}]
    for seats, more, days in (
        (two, {}, 14), (two, {"patience_days": 90}, 90), (alone, {}, None),
        (two, {"clock": {"bank_s": 60}}, None),
    ):  # fmt: skip
        opened = ann.post("/v1/matches", {"game": "qin", "seats": seats, **more}).json
        assert opened["patience_days"] == days


@pytest.mark.parametrize(
    "more",
    [{"patience_days": 0}, {"patience_days": 91}, {"patience_days": "7"}, {"patience_days": None},
     {"patience_days": 7, "clock": {"bank_s": 60}}],
    ids=str,
)  # fmt: skip
def test_a_patience_beyond_the_limits_is_refused(ann: Api, more: object) -> None:
    seats = [{"me": True}, {"open": True}]
    refused = ann.post("/v1/matches", {"game": "qin", "seats": seats, **dict(more)})  # type: ignore[call-overload]
    assert (refused.status_code, refused.json["code"]) == (400, "invalid")
