"""Solo and cooperative matches over REST: how they are opened, won or lost, and counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from operator import attrgetter
from urllib.parse import parse_qs

import pytest
from flask import Flask
from markupsafe import escape

from domain.engine.game import Json
from domain.engine.sentences import LANGUAGES, Words
from domain.games import GAMES
from domain.games.great_wall import GAME as GREAT_WALL
from domain.match.sentences import TEXTS
from service.matches.container import Annals
from service.page.texts import words_in
from tests.games.modes import Seating, another, seatings
from tests.games.seen import AnyGame
from tests.projections.explored import fold as fold_explorer
from tests.service.api.bundles import Bundle, corrupt, export_bundle, forge, verdict, wrong_steps
from tests.service.api.conftest import Api, fold_lists, fold_statistics
from tests.service.api.over import play_out, won_together
from tests.service.api.seated import Table, table
from tests.service.api.streams import entry_of, read_stream
from tests.service.api.test_analysis import Work, work  # noqa: F401 - a fixture

TOGETHER = [one for one in seatings(GAMES.values()) if one.together]
ALONE = [one for one in TOGETHER if one.seats == 1]
MODES = [
    pytest.param(game, mode, id=f"{game.key}-{mode}")
    for game in GAMES.values()
    for mode in game.seats_by_mode
]
CHART = re.compile(r'src="[^"]+[.]svg[?]([^"]+)"')
BROWSER = {"Accept": "text/html"}
Analyse = Callable[[Table], list[Json]]


def lost(app: Flask, annals: Annals, one: Seating) -> Table:
    """A match that all players resigned after some moves."""
    at = table(app, one.game.key, one.seats, options=one.options, seed=None)
    at.play(6)
    at.end(annals)
    fold_lists(annals)
    return at


def play_to_end(app: Flask, annals: Annals, one: Seating) -> Table:
    """A match in which bots of the weakest level play the seats of people to the end."""
    at = table(app, one.game.key, one.seats, options=one.options, seed=None)
    return play_out(annals, at, one.game.levels[0].bot)


@pytest.fixture
def analysis(nobody: Api, work: Work) -> Analyse:  # noqa: F811
    """The analysis for each seat of a match, once the numbers add up and the charts are drawn."""

    def analyse(at: Table) -> list[Json]:
        path = f"{at.path}/analysis"
        assert nobody.get(path).status_code == 202
        assert work() == 1
        received = nobody.get(path).json
        seats: list[Json] = received["seats"]
        assert len({seat["start"] for seat in seats}) == 1
        assert received["lead_changes"] == []
        for seat in seats:
            gained = seat["luck"] + seat["own"] + seat["others"]
            assert gained == pytest.approx(seat["result"] - seat["start"])
        picture = nobody.get(f"{path}.svg")
        assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
        assert all(f"Player {seat}" in picture.text for seat in range(len(seats)))
        return seats

    return analyse


def page(app: Flask, path: str, language: str = "en") -> str:
    """A page, as a browser shows it without modules."""
    headers = {**BROWSER, "Accept-Language": language}
    answer = app.test_client().get(path.removeprefix("/v1"), headers=headers)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_each_mode_lists_its_numbers_of_seats(
    game: AnyGame, mode: str, ann: Api, nobody: Api
) -> None:
    received = next(one for one in nobody.get("/v1/games").json["games"] if one["key"] == game.key)
    span = received["modes"][mode]
    assert range(span["min"], span["max"] + 1) == game.seats_by_mode[mode]
    assert received["seats"]["min"] <= span["min"] <= span["max"] <= received["seats"]["max"]
    for count in (span["min"] - 1, span["max"] + 1):
        plan = {"game": game.key, "options": {"mode": mode}, "seats": [{"open": True}] * count}
        refused = ann.post("/v1/matches", plan)
        assert refused.status_code == 400
        if count:
            assert refused.json["code"] == "bad_seats"
            assert f"`mode` {mode} has {span['min']}" in refused.json["detail"]


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_options_of_another_mode_are_named_and_refused(
    game: AnyGame, mode: str, ann: Api, nobody: Api
) -> None:
    options = nobody.get(f"/v1/games/{game.key}").json["options"]
    plan = {"game": game.key, "seats": [{"open": True}] * game.seats_by_mode[mode][-1]}
    usual = {**options["defaults"], "mode": mode}
    assert ann.post("/v1/matches", {**plan, "options": usual}).status_code == 201
    for name, modes in options["only_with_mode"].items():
        chosen = {"mode": mode, name: another(game, name)}
        answer = ann.post("/v1/matches", {**plan, "options": chosen})
        if mode in modes:
            assert answer.status_code == 201
        else:
            assert (answer.status_code, answer.json["code"]) == (400, "bad_options")
            assert [one["pointer"] for one in answer.json["errors"]] == [f"#/options/{name}"]


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_solo_player_waits_for_no_other(one: Seating, ann: Api, annals: Annals) -> None:
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
def test_a_team_that_resigns_has_lost_in_every_text(
    one: Seating, app: Flask, annals: Annals, nobody: Api
) -> None:
    """It is counted, and neither rated nor compared, and its bundle can be checked."""
    at = lost(app, annals, one)
    match = nobody.get(at.path).json
    result = match["result"]
    assert match["unrated"] == "together"
    assert (result["reason"], result["won"]) == ("resignation", False)
    assert {line["rank"] for line in result["lines"]} == {1}
    entries = nobody.get(f"{at.path}/events?limit=1000").json["events"]
    last = read_stream(nobody, f"{at.path}/stream?after=0", len(entries))[-1]
    for entry in (entries[-1], entry_of(last)):
        [scored] = [event for event in entry["events"] if event["type"] == "Scored"]
        assert scored["scoring"] == result
    [row] = nobody.get(f"/v1/matches?player={at.players[0].id}").json["matches"]
    assert (row["won"], row["result"]) == (False, result["lines"])
    shown = page(app, at.path)
    resigned = f"Game lost: {' and '.join(f'Player {seat}' for seat in range(one.seats))} resigned."
    assert resigned.replace(" and ", ", ", one.seats - 2) in shown
    assert '<th scope="col"><span>Player 0</span></th>' in shown
    assert '<th scope="row">Rank</th>' not in shown
    for rival in result.get("rivals", ()):
        assert escape(one.game.words().texts[f"rival_{rival['key']}"]) in shown
        assert f"<td>{rival['points']}</td>" in shown
    for words, listed in read_lists(app, at, language_of(one)):
        assert f"{words('lost')} \u00b7" in listed
    check_statistics(one, annals, nobody)
    bundle = export_bundle(nobody, at.path)
    assert wrong_steps(verdict(bundle)) == set()
    assert "score" in wrong_steps(verdict(corrupt(bundle, forge(victory))))


def check_statistics(one: Seating, annals: Annals, nobody: Api) -> None:
    """The only match of a game is counted, and neither rated nor compared."""
    fold_statistics(annals)
    board = nobody.get(f"/v1/leaderboards/{one.game.key}?provisional=true").json
    assert board["standings"] == []
    asked = f"/v1/analytics/games/{one.game.key}?include=seed,forfeit&metric="
    received = nobody.get(f"{asked}win_share,decisions,win_rate").json
    shares, decisions, rate = received["groups"][0]["values"]
    assert (received["matches"], shares["n"], rate["value"]) == (1, 0, 0)
    assert decisions["n"]


def test_a_team_that_won_reads_that_it_has(app: Flask, annals: Annals, nobody: Api) -> None:
    at = won_together(app, annals)
    result = nobody.get(at.path).json["result"]
    assert (result["won"], [line["rank"] for line in result["lines"]]) == (True, [1, 1, 1])
    [row] = nobody.get(f"/v1/matches?player={at.players[0].id}").json["matches"]
    assert row["won"] is True
    shown = page(app, at.path)
    assert "Game won: the Emperor&#39;s Requests are fulfilled." in shown
    assert f'<tr><th scope="row">Rank</th>{3 * "<td>1.</td>"}</tr>' in shown
    for language in LANGUAGES:
        for words, listed in read_lists(app, at, language):
            assert f"{words('won_all')} \u00b7" in listed
            assert words("won_by", names="") not in listed
            assert words("no_results") not in listed


def language_of(one: Seating) -> str:
    """The language in which a table reads: they take turns."""
    return [*LANGUAGES][TOGETHER.index(one) % len(LANGUAGES)]


def read_lists(app: Flask, at: Table, language: str) -> list[tuple[Words, str]]:
    """The list of finished matches and the page of a player, with the texts of a language."""
    paths = ("/?status=scored", f"/players/{at.players[0].id}")
    return [(words_in(language), page(app, path, language)) for path in paths]


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_a_match_that_bots_play_to_its_end_says_how_it_ended(
    one: Seating, app: Flask, annals: Annals, nobody: Api, analysis: Analyse
) -> None:
    """The log and the result give the same reason, and only a winner is called one. Nothing that is
    chosen together is an advantage over others, and the analysis ends with the result.
    """
    at = play_to_end(app, annals, one)
    result, language = nobody.get(at.path).json["result"], language_of(one)
    path = f"{at.path}/events?limit=1000&sentences=true&language={language}"
    entries = nobody.get(f"{path}&after={at.version - 3}").json["events"]
    said = [received["text"] for entry in entries for received in entry["sentences"]]
    words = one.game.words(language)
    reason = words(f"end_{result['reason']}")
    assert any(reason in text for text in said)
    assert not any(words("list_empty") in text for text in said[-3:])
    texts = TEXTS[language]
    outcome = texts["table_won" if result["won"] else "table_lost"].format(reason=reason)
    assert f'<p id="prompt" role="status">{escape(outcome)}' in page(app, at.path, language)
    fold_explorer(annals.store)
    asked = f"/v1/analytics/explorer/{one.game.key}?match={at.path[12:]}&version={one.seats}"
    [first, *_] = nobody.get(asked).json["features"]["kinds"]
    assert (first["count"], first["advantage"]) == (one.seats, None)
    assert first["share"] == result["won"]
    for seat in analysis(at) if one in ALONE else ():
        assert seat["result"] == result["won"]


def test_points_of_rivals_add_up_on_the_page(app: Flask, annals: Annals, nobody: Api) -> None:
    """Each source of points has a row, even those that no seat can score."""
    [one] = [one for one in ALONE if one.game is GREAT_WALL]
    at = lost(app, annals, one)
    [rival] = nobody.get(at.path).json["result"]["rivals"]
    assert sum(rival["breakdown"].values()) == rival["points"]
    shown = page(app, at.path).partition("data-result")[2].partition("</table>")[0]
    names, points, *parts = [row.split("</th>") for row in shown.split("<tr>")[1:]]
    assert "Qin Jiushao" in names[-2]
    counts = {label.rpartition(">")[2]: _last_cell(cells) for label, cells in parts}
    texts = one.game.words().texts
    assert {
        escape(texts[f"score_{part}"]): n for part, n in rival["breakdown"].items() if n
    }.items() <= counts.items()
    assert _last_cell(points[1]) == sum(counts.values()) == rival["points"]


def _last_cell(cells: str) -> int:
    """The number in the last cell of a row: that of the rival, who has no luck."""
    text = cells.rpartition("<td>")[2].partition("</td>")[0]
    return int(text.replace("\N{MINUS SIGN}", "-") or 0)


def test_an_analysis_of_a_table_that_resigned_adds_up(
    app: Flask, annals: Annals, analysis: Analyse
) -> None:
    several = next(one for one in TOGETHER if one not in ALONE)
    for seat in analysis(lost(app, annals, several)):
        assert seat["result"] == 0


@pytest.mark.long
def test_an_analysis_of_a_match_won_together_ends_with_all_of_the_chance(
    app: Flask, annals: Annals, analysis: Analyse
) -> None:
    seats = analysis(won_together(app, annals))
    assert [seat["result"] for seat in seats] == [1, 1, 1]
    assert len({seat["luck"] for seat in seats}) == 1


@pytest.mark.parametrize(
    "game", {one.game.key: one.game for one in TOGETHER}.values(), ids=attrgetter("key")
)
def test_statistics_ask_how_often_tables_win_where_there_are_such(
    game: AnyGame, app: Flask, nobody: Api
) -> None:
    charts = [unescape(one) for one in CHART.findall(page(app, f"/statistics/{game.key}"))]
    asked = next(one for one in charts if "metric=win_rate" in one)
    together = {one.options["mode"] for one in TOGETHER if one.game is game}
    assert set(parse_qs(asked)["option"]) == {f"mode:{mode}" for mode in together}
    for one in charts:
        assert nobody.get(f"/v1/analytics/games/{game.key}.svg?{one}").status_code == 200


@pytest.mark.parametrize("one", [one for one in TOGETHER if one.seats > 2], ids=str)
def test_all_others_have_to_agree_before_a_table_goes_back_and_forth(
    one: Seating, app: Flask, nobody: Api
) -> None:
    at = table(app, one.game.key, 3, options=one.options)
    (asking, *others), early = at.players, nobody.get(at.path).json
    at.play(4)
    late, back = nobody.get(at.path).json, {"to": early["version"]}
    for deed, body, view in (("undo", back, early["view"]), ("redo", None, late["view"])):
        assert asking.post(f"{at.path}/{deed}", body).status_code == 200
        before = nobody.get(at.path).json["view"]
        for answered, other in enumerate(others):
            now = nobody.get(at.path).json
            assert sorted(now["undo_request"]["waiting_for"]) == sorted(
                one.id for one in others[answered:]
            )
            assert now["view"] == before
            assert other.post(f"{at.path}/undo/answer", {"agree": True}).status_code == 200
        assert nobody.get(at.path).json["view"] == view


def victory(bundle: Bundle) -> None:
    """A patch after which all players win."""
    received = bundle["entries"][-1]
    received["text"] = received["text"].replace('"won":false', '"won":true')
