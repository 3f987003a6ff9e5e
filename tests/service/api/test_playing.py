"""Moves over REST: listing, previewing and making them."""

from __future__ import annotations

import re

import pytest

from domain.engine.sentences import LANGUAGES
from domain.games.qin import GAME as QIN
from domain.games.qin.state.steps import Turn
from domain.match.decisions import ending, playing
from service.matches.container import Annals
from tests.service.api.conftest import (
    Api,
    Clock,
    fold_lists,
    moves,
    open_table,
    play_on,
    read_everything,
    system,
)
from tests.service.api.seated import bot_move

DAY_MS = 86_400_000
LAST = re.compile(r"Last placement: [^.<]*")
"""The tile that was placed last, in the description of a picture of Qin."""


def test_a_move_is_recorded_and_answered_with_what_it_did(qin: str, ann: Api, bob: Api) -> None:
    mover = ann if moves(ann, qin) else bob
    answer = mover.post(f"{qin}/moves", {"move": moves(mover, qin)[0]})
    assert answer.status_code == 201
    assert answer.json["version"] == 3
    assert answer.json["events"][0]["type"] == "TilePlaced"
    assert answer.headers["ETag"] == '"3"'
    entry = mover.get(answer.headers["Location"]).json["events"]
    assert [one["version"] for one in entry] == [3]
    assert entry[0]["events"] == answer.json["events"]


@pytest.mark.slow
def test_a_whole_match_of_qin_is_played_to_its_end(qin: str, ann: Api, bob: Api) -> None:
    play_on(qin, ann, bob)
    assert ann.get(qin).json["status"] == "ended"
    assert ann.get(qin).json["awaiting"] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["qin", "toy"])
def test_every_listed_move_would_be_accepted(ann: Api, bob: Api, game: str) -> None:
    path = open_table(ann, bob, game=game)
    for _ in range(4):
        mover = ann if moves(ann, path) else bob
        found = moves(mover, path)
        for move in found:
            assert mover.post(f"{path}/preview", {"move": move}).status_code == 200
        mover.post(f"{path}/moves", {"move": found[-1]})


def test_a_move_that_is_not_listed_is_against_the_rules(toy: str, ann: Api) -> None:
    listed = [move["card"] for move in moves(ann, toy)]
    for card in {1, 2, 3, 4, 5, 6} - set(listed):
        answer = ann.post(f"{toy}/moves", {"move": {"type": "Seal", "card": card}})
        assert answer.status_code == 422
        assert answer.json["rule"] == "TOY-2.2"
        assert answer.json["fault"] == "not_in_hand"
        assert "card" in answer.json["rule_text"]


def test_no_move_is_listed_for_a_seat_that_has_nothing_to_decide(toy: str, ann: Api) -> None:
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    assert moves(ann, toy) == []


def test_a_preview_records_nothing_and_reveals_no_draw(
    qin: str, ann: Api, bob: Api, annals: Annals
) -> None:
    mover = ann if moves(ann, qin) else bob
    before = list(read_everything(annals))
    answer = mover.post(f"{qin}/preview", {"move": moves(mover, qin)[0]})
    assert {event["type"] for event in answer.json["events"]}.isdisjoint({"TileDrawn", "Awaiting"})
    assert list(read_everything(annals)) == before


def test_a_move_is_previewed_by_touches(qin: str, ann: Api, bob: Api) -> None:
    mover = ann if moves(ann, qin) else bob
    menu = mover.get(f"{qin}/legal-moves?touch=true").json
    move, way = menu["moves"][-1], menu["ways"][-1][0]
    by_move = mover.post(f"{qin}/preview", {"move": move}).json
    assert mover.post(f"{qin}/preview", {"touches": way}).json == by_move
    assert by_move["move"] == move
    assert by_move["events"][0]["type"] == "TilePlaced"


def test_a_preview_is_drawn_as_the_board_will_be_after_the_move(
    qin: str, ann: Api, bob: Api, annals: Annals
) -> None:
    mover = ann if moves(ann, qin) else bob
    before, move = list(read_everything(annals)), moves(mover, qin)[0]
    drawn = mover.post(f"{qin}/preview.svg?width=400&shape=tall", {"move": move})
    assert drawn.mimetype == "image/svg+xml", drawn.json
    assert 'width="400"' in drawn.text
    assert list(read_everything(annals)) == before
    assert LAST.findall(mover.get(f"{qin}/board.svg").text) == []
    mover.post(f"{qin}/moves", {"move": move})
    assert LAST.findall(drawn.text) == LAST.findall(mover.get(f"{qin}/board.svg").text) != []


def test_touches_for_several_moves_are_answered_with_what_can_be_touched_next(
    qin: str, ann: Api, bob: Api
) -> None:
    mover = ann if moves(ann, qin) else bob
    ways = mover.get(f"{qin}/legal-moves?touch=true").json["ways"]
    first = ways[0][0][0]
    answer = mover.post(f"{qin}/preview", {"touches": []})
    assert (answer.status_code, answer.json["code"]) == (400, "bad_move")
    assert set(answer.json["choices"]) == {way[0] for some in ways for way in some}
    assert answer.json["errors"][0]["pointer"] == "#/touches"
    further = mover.post(f"{qin}/preview", {"touches": [first]}).json
    assert all(choice in further["detail"] for choice in further["choices"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_touched_is_answered_with_the_rule_that_forbids_it(
    qin: str, ann: Api, bob: Api, language: str
) -> None:
    mover = ann if moves(ann, qin) else bob
    answer = mover.post(f"{qin}/preview", {"touches": ["nowhere"]}, Accept_Language=language)
    assert (answer.status_code, answer.json["code"]) == (422, "rule_broken")
    rule = answer.json["rule"]
    assert rule == QIN.answers.fallbacks[Turn].rule
    assert answer.json["detail"] == QIN.words(language)("fallback_Turn")
    assert answer.json["rule_text"] == QIN.resources.rulebooks[language].rules[rule]
    ways = mover.get(f"{qin}/legal-moves?touch=true").json["ways"]
    assert answer.json["refused_touch"] == 0
    assert set(answer.json["choices"]) == {way[0] for some in ways for way in some}


def test_a_seat_with_nothing_to_decide_touches_nothing(
    toy: str, ann: Api, cid: Api, nobody: Api
) -> None:
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    touched = {"touches": ["card:1"]}
    assert ann.post(f"{toy}/preview", touched).json["code"] == "not_your_turn"
    assert ann.post(f"{toy}/preview", {**touched, "seat": 1}).json["code"] == "not_your_seat"
    assert cid.post(f"{toy}/preview", touched).json["code"] == "not_seated"
    assert nobody.post(f"{toy}/preview", touched).json["code"] == "unauthorized"


def test_a_trial_is_either_a_move_or_touches(toy: str, ann: Api) -> None:
    for trial in ({}, {"move": moves(ann, toy)[0], "touches": []}):
        answer = ann.post(f"{toy}/preview", trial)
        assert (answer.status_code, answer.json["code"]) == (400, "invalid")
        assert answer.json["errors"][0]["detail"] == "Expected exactly one of `move` and `touches`."


def test_moves_are_pointed_at_by_names_that_are_in_the_picture(
    qin: str, ann: Api, bob: Api
) -> None:
    mover = ann if moves(ann, qin) else bob
    menu = mover.get(f"{qin}/legal-moves?touch=true").json
    kinds = {kind["kind"]: kind["role"] for kind in mover.get("/v1/games/qin").json["touches"]}
    assert len(menu["ways"]) == len(menu["moves"])
    for move, ways in zip(menu["moves"], menu["ways"], strict=True):
        assert all(tile == f"tile:{move['kind']}" for tile, _, _ in ways)
    names = {name for ways in menu["ways"] for way in ways for name in way}
    says = {entry["name"]: entry["label"] for entry in menu["names"]}
    assert names < set(says)
    assert all(says[part["part"]] == part["part"].replace(":", " ") for part in menu["parts"])
    picture = mover.get(f"{qin}/board.svg").text
    assert [name for name in names if f'data-at="{name}"' not in picture] == []
    assert {kinds[name.partition(":")[0]] for name in names} == {"thing"}
    held = {name for part in menu["parts"] for name in part["contains"]}
    assert held == {name for name in names if name.startswith("space:")}
    assert {kinds[part["part"].partition(":")[0]] for part in menu["parts"]} == {"part"}


def test_no_touches_before_the_start(ann: Api) -> None:
    table = {"game": "qin", "seats": [{"me": True}, {"open": True}]}
    path = f"/v1/matches/{ann.post('/v1/matches', table).json['id']}"
    menu = ann.get(f"{path}/legal-moves?touch=true").json
    assert [menu[name] for name in ("moves", "ways", "parts", "names")] == [[], [], [], []]


def test_several_seats_decide_at_once_in_any_order(toy: str, ann: Api, bob: Api) -> None:
    """Neither has to send the version that the other has just created."""
    anns, bobs = moves(ann, toy)[0], moves(bob, toy)[0]
    assert bob.post(f"{toy}/moves", {"move": bobs}).json["version"] == 3
    assert ann.post(f"{toy}/moves", {"move": anns}).json["version"] == 4


def test_hotseat_plays_both_seats(ann: Api) -> None:
    plan = {
        "game": "qin",
        "seats": [{"me": True}, {"me": True}],
        "options": {"first_player": "random"},
    }
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    for _ in range(3):
        seat = ann.get(path).json["awaiting"][0]["seat"]
        move = ann.get(f"{path}/legal-moves?as={seat}").json["moves"][0]
        assert ann.post(f"{path}/moves", {"move": move, "seat": seat}).status_code == 201
    assert ann.get(path).json["unrated"] == "hotseat"


def test_resigning_ends_a_match_of_two(qin: str, ann: Api) -> None:
    answer = ann.post(f"{qin}/resign")
    assert answer.json["status"] == "ended"
    assert [event["type"] for event in answer.json["events"]] == ["Resigned", "Ended"]


def test_a_seat_that_a_bot_took_over_is_reclaimed(
    ann: Api, bob: Api, annals: Annals, clock: Clock
) -> None:
    path = open_table(ann, bob, game="qin", clock={"per_move_s": 10})
    clock.ms += 11_000
    system(annals, path, playing.time_out)
    seat = next(chair["seat"] for chair in ann.get(path).json["seats"] if chair["bot"])
    late = (ann, bob)[seat]
    assert moves(late, path) == []
    refused = late.post(f"{path}/moves", {"move": {"type": "PlaceTile"}, "seat": seat})
    assert (refused.status_code, refused.json["code"]) == (403, "seat_played_by_bot")
    assert late.post(f"{path}/reclaim").json["code"] == "bot_decides"
    system(annals, path, bot_move)
    assert late.post(f"{path}/reclaim").status_code == 200
    assert ann.get(path).json["seats"][seat]["bot"] is None
    assert late.post(f"{path}/reclaim").json["code"] == "nothing_to_reclaim"


def test_time_is_given_to_those_who_think(ann: Api, bob: Api, cid: Api) -> None:
    terms = {"game": "qin", "clock": {"bank_s": 600}}
    table = ann.post("/v1/matches", {**terms, "seats": [{"me": True}, {"open": True}]}).json
    path = f"/v1/matches/{table['id']}"
    bob.post(f"{path}/seats")
    seat = ann.get(path).json["awaiting"][0]["seat"]
    thinks, waits = [(ann, bob), (bob, ann)][seat]
    assert waits.post(f"{path}/time", {"seconds": 0}).json["errors"][0]["pointer"] == "#/seconds"
    assert thinks.post(f"{path}/time").json["code"] == "no_time_to_give"
    assert cid.post(f"{path}/time").json["code"] == "not_seated"
    given = waits.post(f"{path}/time", {"seat": seat, "seconds": 90}).json
    assert given["events"][0] == {
        "type": "TimeGiven", "player": waits.id, "seat": seat, "ms": 90_000,
    }  # fmt: skip
    left = thinks.get(path).json["clocks"]["left_ms"]
    assert left[seat] == left[1 - seat] + 90_000
    log = ann.get(f"{path}/events?sentences=true").json["events"]
    [said] = [one["text"] for one in log[-1]["sentences"]]
    assert said.endswith("90 seconds more to think.")


def test_a_match_against_bots_is_kept_in_the_second_half_of_its_time(
    ann: Api, bob: Api, annals: Annals, clock: Clock
) -> None:
    seats = [{"me": True}, {"bot": "li_mu"}]
    path = f"/v1/matches/{ann.post('/v1/matches', {'game': 'qin', 'seats': seats}).json['id']}"
    ends_at = ann.get(path).json["ends_at"]
    fold_lists(annals)
    listed = ann.get("/v1/matches").json["matches"]
    assert [one["ends_at"] for one in listed] == [ends_at]
    assert ann.post(f"{path}/keep").json["code"] == "nothing_to_keep"
    clock.ms += 7 * DAY_MS
    assert bob.post(f"{path}/keep").json["code"] == "not_seated"
    kept = ann.post(f"{path}/keep")
    assert kept.json["events"] == [{"type": "Kept", "player": ann.id}]
    after = ann.get(path).json
    assert (after["ends_at"], after["status"]) > (ends_at, "active")
    assert ann.post(f"{path}/keep").json["code"] == "nothing_to_keep"
    clock.ms += 14 * DAY_MS
    system(annals, path, ending.abandon)
    over = ann.get(path).json
    assert (over["status"], over["ends_at"], over["keep_from"]) == ("aborted", None, None)
    assert ann.post(f"{path}/forks", {"version": 1}).status_code == 201
    log = ann.get(f"{path}/events?sentences=true").json["events"]
    said = [one["text"] for entry in log[-2:] for one in entry["sentences"]]
    assert said == [
        "Ann keeps the match.",
        "The match was cancelled: its player was away too long.",
    ]


def test_undo_asks_the_other_whose_consent_undoes_the_move(qin: str, ann: Api, bob: Api) -> None:
    mover, other = (ann, bob) if moves(ann, qin) else (bob, ann)
    move = moves(mover, qin)[0]
    mover.post(f"{qin}/moves", {"move": move})
    asked = mover.post(f"{qin}/undo", {})
    assert asked.json["events"][0]["type"] == "UndoRequested"
    assert mover.get(qin).json["undo_request"]["waiting_for"] == [other.id]
    agreed = other.post(f"{qin}/undo/answer", {"agree": True})
    assert [event["type"] for event in agreed.json["events"]] == ["UndoAnswered", "Undone"]
    assert move in moves(mover, qin)
    assert mover.post(f"{qin}/redo").json["events"][0]["type"] == "UndoRequested"
