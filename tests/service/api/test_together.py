"""Matches alone and matches together over REST: how they are opened, won or lost, and counted."""

from __future__ import annotations

from html import escape

import pytest
from flask import Flask

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.games import GAMES
from domain.games.great_wall import GAME as GREAT_WALL
from domain.games.great_wall.bot.hasty import hasty
from domain.match import ending, playing
from domain.match.log import Draft
from domain.match.state import Match
from service.annals import Annals
from tests.games.great_wall.together import NEARLY_WON
from tests.games.modes import Seating, seatings
from tests.games.seen import AnyGame
from tests.service.api.bundles import Bundle, damaged, exported, verdict, wrong_steps
from tests.service.api.conftest import Api, fold_lists, fold_statistics, system
from tests.service.api.seated import Table, table
from tests.service.api.streams import entry_of, read_stream
from tests.service.api.test_analysis import Work, work  # noqa: F401 - a fixture
from tests.service.api.test_bundles import forged

TOGETHER = [one for one in seatings(GAMES.values()) if one.together]
ALONE = [one for one in TOGETHER if one.seats == 1]
MODES = [
    pytest.param(game, mode, id=f"{game.key}-{mode}")
    for game in GAMES.values()
    for mode in game.modes
]
BROWSER = {"Accept": "text/html"}
DRAWS = Luck("won")


def lost(app: Flask, annals: Annals, one: Seating) -> Table:
    """A match of some moves that all have given up."""
    at = table(app, one.game.key, one.seats, options=one.options, seed=None)
    at.play(6)
    at.end(annals)
    fold_lists(annals)
    return at


def won(app: Flask, annals: Annals) -> Table:
    """A match whose table has won by the rules."""
    at = table(app, GREAT_WALL.key, 3, options={"mode": "coop"}, position=NEARLY_WON)
    while not annals.matches.latest(at.path.rpartition("/")[2]).over:
        system(annals, at.path, glance)
    system(annals, at.path, lambda match, _: ending.score(match))
    fold_lists(annals)
    return at


def glance(match: Match, now: int) -> Draft:
    """What seems best at a glance to whoever has to decide."""
    seat = match.awaited[0]
    return playing.move(match, hasty(sight_of(match.game, match.state, seat, DRAWS)), now)


def page(app: Flask, path: str) -> str:
    """The page of a match, as a browser without any module shows it."""
    answer = app.test_client().get(path.removeprefix("/v1"), headers=BROWSER)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_each_mode_tells_for_how_many_it_is(
    game: AnyGame, mode: str, ann: Api, nobody: Api
) -> None:
    told = next(one for one in nobody.get("/v1/games").json["games"] if one["key"] == game.key)
    span = told["modes"][mode]
    assert range(span["min"], span["max"] + 1) == game.modes[mode]
    assert told["seats"]["min"] <= span["min"] <= span["max"] <= told["seats"]["max"]
    for count in (span["min"] - 1, span["max"] + 1):
        plan = {"game": game.key, "options": {"mode": mode}, "seats": [{"open": True}] * count}
        refused = ann.post("/v1/matches", plan)
        assert refused.status_code == 400
        if count:
            assert refused.json["code"] == "bad_seats"
            assert f"`mode` {mode} has {span['min']}" in refused.json["detail"]


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_who_plays_alone_waits_for_nobody(one: Seating, ann: Api, annals: Annals) -> None:
    plan = {"game": one.game.key, "options": one.options, "seats": [{"me": True}]}
    match = ann.post("/v1/matches", plan).json
    assert (match["status"], match["awaiting"][0]["player"]) == ("active", ann.id)
    path = f"/v1/matches/{match['id']}"
    fold_lists(annals)
    assert [row["match"] for row in ann.get("/v1/me/turns").json["turns"]] == [match["id"]]
    for _ in range(5):
        [first, *_] = ann.get(f"{path}/legal-moves").json["moves"]
        assert ann.post(f"{path}/moves", {"move": first}).status_code == 201
    back = ann.post(f"{path}/undo", {"to": match["version"]})
    assert back.status_code == 200
    assert ann.get(path).json["view"] == match["view"]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_who_gives_up_together_has_lost_in_all_that_is_told(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = lost(app, annals, one)
    match = nobody.get(at.path).json
    result = match["result"]
    assert match["unrated"] == "together"
    assert (result["reason"], result["won"]) == ("resignation", False)
    assert min(line["rank"] for line in result["lines"]) == 2
    entries = nobody.get(f"{at.path}/events?limit=1000").json["events"]
    last = read_stream(nobody, f"{at.path}/stream?after=0", len(entries))[-1]
    for entry in (entries[-1], entry_of(last)):
        [scored] = [event for event in entry["events"] if event["type"] == "Scored"]
        assert scored["scoring"] == result
    [row] = nobody.get(f"/v1/matches?player={at.players[0].id}").json["matches"]
    assert (row["won"], row["result"]) == (False, result["lines"])
    shown = page(app, at.path)
    assert "The game is lost." in shown
    for rival in result.get("rivals", ()):
        assert escape(one.game.words().texts[f"rival_{rival['key']}"]) in shown
        assert f"<td>{rival['points']}</td>" in shown


def test_who_has_won_together_is_told_so(app: Flask, annals: Annals, nobody: Api) -> None:
    at = won(app, annals)
    result = nobody.get(at.path).json["result"]
    assert (result["won"], [line["rank"] for line in result["lines"]]) == (True, [1, 1, 1])
    [row] = nobody.get(f"/v1/matches?player={at.players[0].id}").json["matches"]
    assert row["won"] is True
    assert "The game is won." in page(app, at.path)


def test_points_of_rivals_add_up_on_the_page(app: Flask, annals: Annals, nobody: Api) -> None:
    """Each of their sources has a column, also one that no seat can have points from."""
    [one] = [one for one in ALONE if one.game is GREAT_WALL]
    at = lost(app, annals, one)
    [rival] = nobody.get(at.path).json["result"]["rivals"]
    assert sum(rival["breakdown"].values()) == rival["points"]
    shown = page(app, at.path)
    head, _, rest = shown.partition("data-result")[2].partition("</tr>")
    names = [escape(one.game.words().texts[f"score_{part}"]) for part in rival["breakdown"]]
    told = dict(zip(names, rival["breakdown"].values(), strict=True))
    assert {name for name, n in told.items() if n} <= {
        name for name in names if f"<th>{name}</th>" in head
    }
    line = rest.split("Qin Jiushao</th>")[1].split("</tr>")[0]
    counts = [int(n) for n in line.replace("<td>", " ").replace("</td>", " ").split()]
    assert counts[0] == sum(counts[1:]) == rival["points"]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_who_plays_together_is_counted_and_neither_rated_nor_compared(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    lost(app, annals, one)
    fold_statistics(annals)
    board = nobody.get(f"/v1/leaderboards/{one.game.key}?provisional=true").json
    assert board["standings"] == []
    asked = f"/v1/analytics/games/{one.game.key}?include=seed,forfeit&metric="
    told = nobody.get(f"{asked}win_share,decisions,win_rate").json
    shares, decisions, rate = told["groups"][0]["values"]
    assert (told["matches"], shares["n"], rate["value"]) == (1, 0, 0)
    assert decisions["n"]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_an_analysis_of_a_table_that_plays_together_adds_up(
    one: Seating,
    app: Flask,
    annals: Annals,
    nobody: Api,
    work: Work,  # noqa: F811
) -> None:
    path = f"{lost(app, annals, one).path}/analysis"
    assert nobody.get(path).status_code == 202
    assert work() == 1
    found = nobody.get(path).json
    assert len({seat["start"] for seat in found["seats"]}) == 1
    assert found["lead_changes"] == []
    for seat in found["seats"]:
        gained = seat["luck"] + seat["own"] + seat["others"]
        assert gained == pytest.approx(seat["result"] - seat["start"])
        assert seat["result"] == 0
    assert nobody.get(f"{path}.svg").status_code == 200


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_a_bundle_of_a_match_together_can_be_checked(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    bundle = exported(nobody, lost(app, annals, one).path)
    assert wrong_steps(verdict(bundle)) == set()
    wrong = damaged(bundle, forged(victory))
    assert "score" in wrong_steps(verdict(wrong))


def victory(bundle: Bundle) -> None:
    """Say that all have won."""
    told = bundle["entries"][-1]
    told["text"] = told["text"].replace('"won":false', '"won":true')
