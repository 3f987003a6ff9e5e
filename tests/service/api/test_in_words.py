"""Steps and entries can be had as text, in the language of the reader."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES, cite_rules
from domain.games import GAMES
from domain.match.visibility import hides_something
from service.live.broadcast import Viewer
from service.live.match_stream import EntryBatch
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table, play_on
from tests.service.api.streams import entry_of, read_stream


@pytest.fixture(params=GAMES)
def path(request: pytest.FixtureRequest, ann: Api, bob: Api) -> str:
    """A match of each game, with some moves."""
    path = open_table(ann, bob, game=request.param)
    play_on(path, ann, bob, until=6)
    return path


def test_a_player_who_must_decide_reads_what_to_do(path: str, ann: Api, nobody: Api) -> None:
    for caller in (ann, nobody):
        received = [caller.get(f"{path}?sentences=true&language={one}").json for one in LANGUAGES]
        says = [[one["prompt"] for one in each["awaiting"]] for each in received]
        assert says[0][0].endswith(".")
        assert says[0] not in says[1:]


def test_others_read_the_name_of_a_player_whose_view_they_see(ann: Api, bob: Api) -> None:
    """In a match that is over."""
    path = open_table(ann, bob, game="toy")
    past = f"{path}?sentences=true&version={play_on(path, ann, bob) - 1}"
    seat = ann.get(past).json["awaiting"][0]["seat"]
    asked = [one.get(f"{past}&as={seat}").json["awaiting"][0]["prompt"] for one in (ann, bob)]
    name = ("Ann", "Bob")[seat]
    assert [name in prompt for prompt in asked] == [seat == 1, seat == 0]


def test_a_refusal_calls_players_by_their_names(ann: Api) -> None:
    [reserved] = [one for one in GAMES["chang_cheng"].resources.examples if one.key == "reserved"]
    seats = [{"me": True}] * reserved.seats
    plan = {"game": "chang_cheng", "seats": seats, "position": reserved.position}
    path = ann.post("/v1/matches", plan).location
    refused = ann.post(f"{path}/moves", {"move": reserved.moves[0]})
    assert "is reserved for Ann (1)." in refused.json["detail"]


def test_players_with_one_name_are_distinguished(path: str, ann: Api) -> None:
    """One player at all seats, as in hot-seat play."""
    game, alone = ann.get(path).json["game"], [{"me": True}, {"me": True}]
    alike = ann.post("/v1/matches", {"game": game, "seats": alone}).location
    asked, *_ = ann.get(f"{alike}?sentences=true").json["awaiting"]
    assert f"Ann ({asked['seat'] + 1})" in asked["prompt"]


def test_without_the_parameter_there_are_no_texts(path: str, ann: Api) -> None:
    for answer in (ann.get(path), ann.get(f"{path}?language=zh-Hant")):
        assert not any("prompt" in one for one in answer.json["awaiting"])
        assert "Content-Language" not in answer.headers
    assert not any("sentences" in one for one in ann.get(f"{path}/events").json["events"])
    first, *_ = read_stream(ann, f"{path}/stream?after=0", 1)
    assert "sentences" not in entry_of(first)


def test_every_entry_is_described_with_its_rules(path: str, ann: Api, nobody: Api) -> None:
    for caller in (ann, nobody):
        for language in LANGUAGES:
            entries = caller.get(f"{path}/events?sentences=true&language={language}").json["events"]
            said = [one for entry in entries for one in entry["sentences"]]
            assert all(one["text"][-1] in ".。！" for one in said), said
            seat_of = {one["player"]: one["seat"] for one in caller.get(path).json["seats"]}
            assert all(entry["seat"] == seat_of.get(entry["actor"]) for entry in entries)
            assert {entry["seat"] for entry in entries} == {0, 1}
            cited = {rule for one in said for rule in one["rules"]}
            assert cited == cited_by_events(GAMES[caller.get(path).json["game"]], entries)
    assert [one["text"] for one in entries[0]["sentences"]] == [
        "开桌。", "若其他玩家等待一位玩家满14天，就可以投票决定如何继续。"
    ]  # fmt: skip


def cited_by_events(game: Game[Any], entries: Any) -> set[str]:
    """The rules that caused these events of a game; events of the match have none."""
    types = {kind.__name__ for kind in game.events}
    of_game = [one for entry in entries for one in entry["events"] if one["type"] in types]
    events = json_codec.read_events(game, json_codec.encode(of_game))
    return {rule for event in events for rule in cite_rules(event)}


def test_pages_lines_and_streams_have_the_same_texts(path: str, ann: Api) -> None:
    query = "sentences=true&language=zh-Hans"
    paged = ann.get(f"{path}/events?{query}").json["events"]
    lines = ann.get(f"{path}/events.ndjson?{query}")
    assert [json.loads(line) for line in lines.data.splitlines()[:-1]] == paged
    streamed = read_stream(ann, f"{path}/stream?after=0&{query}", len(paged))
    assert [entry_of(part) for part in streamed] == paged


def test_players_can_read_what_spectators_do(path: str, ann: Api, nobody: Api) -> None:
    query = "sentences=true&language=en&as=spectator"
    public, own = (
        caller.get(f"{path}/events?sentences=true&language=en").json["events"]
        for caller in (nobody, ann)
    )
    assert (public != own) == hides_something(GAMES[ann.get(path).json["game"]])
    assert ann.get(f"{path}/events?{query}").json["events"] == public
    lines = ann.get(f"{path}/events.ndjson?{query}").data.splitlines()[:-1]
    assert [json.loads(line) for line in lines] == public
    streamed = read_stream(ann, f"{path}/stream?after=0&{query}", len(public))
    assert [entry_of(part) for part in streamed] == public
    assert ann.get(f"{path}/events?as=0").status_code == 400


def test_the_next_page_is_in_the_same_words(path: str, ann: Api) -> None:
    asked = f"{path}/events?limit=1&sentences=true&language=zh-Hant&proof=true"
    target = ann.get(asked).headers["Link"].split(">")[0].removeprefix("<")
    known = {
        "after": "1",
        "limit": "1",
        "proof": "true",
        "sentences": "true",
        "language": "zh-Hant",
    }
    assert dict(parse_qsl(target.partition("?")[2])) == known
    chosen = ann.get(f"{path}/events?limit=1&sentences=true", Accept_Language="zh-TW")
    assert "language" not in chosen.headers["Link"]


def test_a_preview_says_what_the_move_would_do(path: str, ann: Api, bob: Api) -> None:
    mover, *_ = [player for player in (ann, bob) if moves(player, path)]
    move = {"move": moves(mover, path)[0]}
    plain = mover.post(f"{path}/preview", move)
    received = [
        mover.post(f"{path}/preview?sentences=true&language={one}", move) for one in LANGUAGES
    ]
    assert [one.headers["Content-Language"] for one in received] == list(LANGUAGES)
    says = [one.json["sentences"] for one in received]
    assert [one.json for one in received] == [{**plain.json, "sentences": said} for said in says]
    assert says[0] not in says[1:] or not plain.json["events"]
    made = mover.post(f"{path}/moves", move).json["version"]
    [entry] = mover.get(f"{path}/events?after={made - 1}&sentences=true").json["events"]
    recorded = entry["sentences"][: len(says[0])]
    assert [one["rules"] for one in recorded] == [one["rules"] for one in says[0]]
    assert says[0][0]["text"].startswith("You")


@pytest.mark.parametrize("what", ["", "/events"])
def test_the_browser_chooses_the_language_where_the_address_does_not(
    toy: str, nobody: Api, what: str
) -> None:
    address = f"{toy}{what}?sentences=true"
    for preferred, language in (
        ("zh-TW,en;q=0.5", "zh-Hant"), ("zh;q=0.9,fr", "zh-Hans"), ("fr", "en"), ("", "en"),
    ):  # fmt: skip
        answer = nobody.get(address, Accept_Language=preferred)
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
    chosen = nobody.get(f"{address}&language=en", Accept_Language="zh-TW")
    assert chosen.headers["Content-Language"] == "en"


@pytest.mark.parametrize("what", ["?", "/events?", "/stream?after=0&", "/preview?"])
def test_a_language_that_is_not_there_is_refused_with_those_that_are(
    toy: str, ann: Api, what: str
) -> None:
    ask = ann.post if "preview" in what else ann.get
    answer = ask(
        f"{toy}{what}sentences=true&language=fr", *([{"move": {}}] if ask == ann.post else [])
    )
    [fault] = answer.json["errors"]
    assert (answer.status_code, fault["parameter"]) == (400, "language")
    assert all(language in fault["detail"] for language in LANGUAGES)


def test_a_tag_is_for_one_language_and_good_for_a_command(toy: str, ann: Api, bob: Api) -> None:
    asked = [toy, *(f"{toy}?sentences=true&language={one}" for one in LANGUAGES)]
    tags = [ann.get(one).headers["ETag"] for one in asked]
    assert len(set(tags)) == len(tags)
    for address, tag in zip(asked, tags, strict=True):
        answer = ann.get(address, If_None_Match=tag)
        assert answer.status_code == 304
        assert answer.headers.get("Content-Language", address) in address
        assert ann.get(asked[0] if address != asked[0] else asked[1], If_None_Match=tag).data
    mover, *_ = [player for player in (ann, bob) if moves(player, toy)]
    move = {"move": moves(mover, toy)[0]}
    assert mover.post(f"{toy}/moves", move, If_Match=tags[-1]).status_code == 201


def test_bots_have_their_names_in_the_language(ann: Api) -> None:
    path = open_table(ann, game="qin")
    ann.post(f"{path}/start", {"level": "li_mu"})
    for language, name in zip(LANGUAGES, ("Li Mu", "李牧", "李牧"), strict=True):
        entries = ann.get(f"{path}/events?sentences=true&language={language}").json["events"]
        assert name in str([one["sentences"] for one in entries])


def test_subscribers_to_the_same_texts_share_one_rendering(
    toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    match = annals.matches.latest(toy.rpartition("/")[2])
    batch = EntryBatch(annals, 0, match, annals.matches.entries(match, 0, 100))
    known = [
        batch.frame(Viewer(who, language))
        for who in (ann.id, bob.id, None)
        for language in (None, *LANGUAGES)
    ]
    assert len({*map(id, known)}) == len(known)
    assert batch.frame(Viewer("another player", "en")) is batch.frame(Viewer(None, "en"))
    assert batch.frame(Viewer(ann.id, "en")) is known[1]
    assert batch.frame(Viewer(ann.id, "en", as_spectator=True)) is batch.frame(Viewer(None, "en"))
