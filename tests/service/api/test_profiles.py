"""Profiles, histories of ratings and leaderboards, over REST."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from flask import Flask

from domain.analysis.analysis import analyse
from domain.games import GAMES
from domain.match.decisions import ending
from projections.analyses import store_analysis
from service import ratings
from service.matches.container import Annals
from service.matches.queries import iso
from service.ratings import Competitor
from service.ratings.records import MIN_ESTABLISHED_MATCHES
from tests.service.api.conftest import Api, fold_lists, open_table, system
from tests.service.api.seated import Table, table


def over(annals: Annals, at: Table, played: int = 2) -> str:
    """The id of a rated match that all but the first seat resigned after a while."""
    at.play(played)
    at.end(annals)
    match_id = at.path.rpartition("/")[2]
    match = annals.matches.latest(match_id)
    seats = ratings.competitors_of(match)
    done = ratings.rate(annals.store.redis, at.game, match_id, seats, match.updated_at)
    system(annals, at.path, lambda match, now: ending.rate(match, done.changes))
    fold_lists(annals)
    return match_id


def rate_matches(annals: Annals, game: str, count: int, *seats: Competitor) -> None:
    for n in range(1, count + 1):
        name = "-".join([*("".join(filter(str.isalnum, one.id)) for one in seats), str(n)])
        ratings.rate(annals.store.redis, game, name, seats, n * ratings.DAY_MS)


@pytest.mark.parametrize("game", GAMES)
def test_a_profile_shows_the_results_of_a_player(
    game: str, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0], seed=None)
    match_id = over(annals, at)
    match = annals.matches.latest(match_id)
    places = [line.rank for line in ending.score_lines(match)]
    for seat, player in enumerate(at.players):
        page = nobody.get(f"/v1/players/{player.id}").json
        profile = page["profile"][game]
        assert page["reliability"] == {"matches": 1, "finished": 1}
        won = places[seat] == 1
        assert page["record"][game]["played"] == page["ratings"][game]["played"] == 1
        assert profile["streak"] == {"current": int(won), "best": int(won)}
        assert (profile["provisional"], profile["rank"]) == (True, None)
        low, high = profile["interval"]
        assert low < page["ratings"][game]["mu"] < high
        others = {other.id: place for other, place in zip(at.players, places, strict=True)}
        del others[player.id]
        met = {one["competitor"]: one for one in profile["opponents"]}
        assert met.keys() == others.keys()
        for other, place in others.items():
            assert met[other]["matches"] == 1
            assert met[other]["ahead"] == (places[seat] < place)
            assert met[other]["behind"] == (places[seat] > place)
        history = nobody.get(f"/v1/players/{player.id}/ratings?game={game}").json["history"]
        assert [one["match"] for one in history] == [match_id]
        assert (history[0]["seat"], history[0]["rank"]) == (seat, places[seat])
        assert history[0]["at"] == profile["last_played"]
        assert {one["name"] for one in met.values()} <= {f"Player {n}" for n in range(9)}


def test_a_profile_hides_what_a_private_match_added(
    app: Flask, annals: Annals, ann: Api, bob: Api
) -> None:
    before = bob.get(f"/v1/players/{ann.id}").json
    plan = [{"me": True}, {"invite": "Bob"}]
    path = open_table(ann, visibility="private", seed=None, seats=plan)
    assert bob.post(f"{path}/seats").status_code == 201
    Table("toy", [ann, bob], path).end(annals)
    fold_lists(annals)
    for caller in (ann, bob):
        assert caller.get(f"/v1/players/{ann.id}").json == before
    assert ann.get("/v1/me").json["private_record"]["toy"]["played"] == 1
    assert ann.get(f"/v1/players/{ann.id}/ratings?game=toy").json["history"] == []


def test_a_history_comes_in_pages_that_new_matches_do_not_move(
    annals: Annals, ann: Api, bob: Api
) -> None:
    seats = Competitor(ann.id, 1), Competitor(bob.id, 2)
    rate_matches(annals, "qin", 5, *seats)
    path = f"/v1/players/{ann.id}/ratings?game=qin&limit=2"
    first = bob.get(path)
    assert [one["number"] for one in first.json["history"]] == [5, 4]
    ratings.rate(annals.store.redis, "qin", "one-more", seats, 9 * ratings.DAY_MS)
    link = first.headers["Link"].partition("<")[2].partition(">")[0]
    second = bob.get(link)
    assert [one["number"] for one in second.json["history"]] == [3, 2]
    last = bob.get(f"{path}&after={second.json['next']}").json
    assert ([one["number"] for one in last["history"]], last["next"]) == ([1], None)
    assert last["history"][0]["at"] == iso(ratings.DAY_MS)


@pytest.mark.parametrize("game", GAMES)
def test_a_profile_shows_the_accuracy_in_analysed_matches(
    game: str, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0], seed=None)
    match_id, store = over(annals, at, 6), annals.store
    for player in at.players:
        assert nobody.get(f"/v1/players/{player.id}").json["profile"][game]["accuracy"] is None
    analysis = analyse(GAMES[game], store.read(match_id), lambda done, of: None)
    assert any(seat.accuracy is not None for seat in analysis.seats)
    store_analysis(store.redis, store.partition_of(match_id), GAMES[game], analysis)
    for player, seat in zip(at.players, analysis.seats, strict=True):
        shown = nobody.get(f"/v1/players/{player.id}").json["profile"][game]["accuracy"]
        if seat.accuracy is None:
            assert shown is None
        else:
            assert shown == {"mean": round(seat.accuracy, 1), "matches": 1}


def test_bots_have_profiles(annals: Annals, nobody: Api, ann: Api) -> None:
    level = GAMES["qin"].levels[0]
    bot = f"bot:{level.key}"
    rate_matches(annals, "qin", 1, Competitor(bot, 1), Competitor(ann.id, 2))
    page = nobody.get(f"/v1/players/{bot}").json
    assert (page["id"], page["name"]) == (bot, GAMES["qin"].bot_names()[level.key])
    assert page["profile"]["qin"]["streak"]["current"] == 1
    assert page["profile"]["qin"]["opponents"][0]["name"] == "Ann"
    assert len(nobody.get(f"/v1/players/{bot}/ratings?game=qin").json["history"]) == 1
    assert nobody.get("/v1/players/bot:nobody").status_code == 404


@pytest.mark.parametrize("what", ["ratings", "ratings.svg"])
def test_an_invalid_query_of_a_history_is_explained(what: str, ann: Api, nobody: Api) -> None:
    path = f"/v1/players/{ann.id}/{what}"
    unknown = nobody.get(f"{path}?game=chess")
    assert unknown.status_code == 400
    assert all(game in unknown.text for game in GAMES)
    assert nobody.get(path).status_code == 400
    assert nobody.get(f"{path}?game=qin&limit=1000").status_code == 400
    assert nobody.get(f"/v1/players/nobody/{what}?game=qin").status_code == 404


def test_leaderboards_hide_provisional_ratings_unless_asked_for_them(
    annals: Annals, ann: Api, bob: Api, cid: Api
) -> None:
    rate_matches(
        annals, "qin", MIN_ESTABLISHED_MATCHES, Competitor(ann.id, 1), Competitor(bob.id, 2)
    )
    rate_matches(annals, "qin", 1, Competitor(cid.id, 1), Competitor(bob.id, 2))
    shown = cid.get("/v1/leaderboards/qin").json
    names = [(one["rank"], one["name"], one["provisional"]) for one in shown["standings"]]
    assert names == [(1, "Ann", False), (2, "Bob", False)]
    assert shown["hidden"] == 1
    all_players = cid.get("/v1/leaderboards/qin?provisional=true").json
    assert {one["name"] for one in all_players["standings"]} == {"Ann", "Bob", "Cid"}
    assert all_players["hidden"] == 0
    for one in all_players["standings"]:
        assert one["provisional"] == (one["played"] < MIN_ESTABLISHED_MATCHES)
        assert one["interval"] == [
            pytest.approx(one["mu"] + times * one["sigma"], abs=0.001) for times in (-2, 2)
        ]
    assert cid.get(f"/v1/players/{bob.id}").json["profile"]["qin"]["rank"] == 2
    second = cid.get("/v1/leaderboards/qin?after=1&limit=1").json
    assert [(one["rank"], one["name"]) for one in second["standings"]] == [(2, "Bob")]
    assert cid.get("/v1/leaderboards/qin?provisional=perhaps").status_code == 400


def test_leaderboards_and_histories_are_pictures_too(annals: Annals, ann: Api, bob: Api) -> None:
    rate_matches(
        annals, "qin", MIN_ESTABLISHED_MATCHES, Competitor(ann.id, 1), Competitor(bob.id, 2)
    )
    for path in ("/v1/leaderboards/qin.svg", f"/v1/players/{bob.id}/ratings.svg?game=qin"):
        found = bob.get(path)
        assert (found.status_code, found.mimetype) == (200, "image/svg+xml")
        assert "default-src 'none'" in found.headers["Content-Security-Policy"]
        assert "Bob" in "".join(ElementTree.fromstring(found.text).itertext())
    assert bob.get("/v1/leaderboards/chess.svg").status_code == 404


def test_a_leaderboard_distinguishes_players_with_equal_names_and_ratings(
    app: Flask, annals: Annals, ann: Api
) -> None:
    alike = ["u" + str(n) * 16 for n in range(2)]
    seats = [Competitor(ann.id, 1), *(Competitor(one, 2) for one in alike)]
    rate_matches(annals, "qin", MIN_ESTABLISHED_MATCHES, *seats)
    for one in alike:
        annals.store.redis.hset(f"player:{one}", "name", "deleted")
    picture = ann.get("/v1/leaderboards/qin.svg").text
    for one in alike:
        assert f"2. deleted ({one[:8]}" in picture
