"""The service fixes the seed of a match before its host asks for it, and reveals it at the end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

from domain.match.decisions.lobby import NONCE_OPENING_MS
from domain.match.dice import dice_key
from service.matches.container import Annals
from service.matches.queries import iso
from service.matches.seeds import SEEDS_KEY, Seeds
from tests.service.api.conftest import Api, Clock, open_table, play_on

PLAN = {"game": "toy", "seats": [{"me": True}, {"open": True}]}
NONCE = "ab" * 32


def coming(player: Api) -> Any:
    """The commitment to the seed of a player's next table."""
    return player.get("/v1/me").json["next_seed"]


def of(match: Any) -> Any:
    """The commitment to the seed of a match."""
    return {"index": match["seed_index"], "seed_hash": match["seed_hash"]}


def test_a_host_knows_the_hash_before_they_ask(ann: Api) -> None:
    for number in (1, 2, 3):
        promised = coming(ann)
        assert promised == coming(ann)
        assert promised["index"] == number
        assert of(ann.post("/v1/matches", PLAN).json) == promised


def test_each_player_has_separate_seeds(ann: Api, bob: Api) -> None:
    ann.post("/v1/matches", PLAN)
    assert coming(bob)["index"] == 1
    assert coming(bob)["seed_hash"] != coming(ann)["seed_hash"]


def test_a_request_that_is_sent_again_uses_up_no_other_seed(ann: Api) -> None:
    first, again = (ann.post("/v1/matches", PLAN, Idempotency_Key="k").json for _ in range(2))
    assert of(first) == of(again)
    assert coming(ann)["index"] == 2


def test_a_table_that_is_refused_uses_up_no_seed(ann: Api) -> None:
    promised = coming(ann)
    for wrong in ({"game": "chess"}, {"options": {"rounds": "many"}}, {"seats": [{"me": True}]}):
        assert ann.post("/v1/matches", PLAN | wrong).status_code in (400, 422)
    assert coming(ann) == promised


def test_a_table_with_a_seed_that_was_given_uses_up_none(ann: Api) -> None:
    promised = coming(ann)
    match = ann.post("/v1/matches", {**PLAN, "seed": "00" * 32}).json
    assert (match["seed_index"], match["unrated"]) == (None, "seed")
    assert coming(ann) == promised


def test_a_host_who_was_cut_off_gets_the_same_seed_on_a_retry(ann: Api, annals: Annals) -> None:
    seed = annals.seeds.take(ann.id, "m")
    assert coming(ann)["index"] == seed.index + 1, "a number that is not used shows as a gap"
    assert annals.seeds.take(ann.id, "m") == seed


def test_tables_that_are_opened_at_once_never_share_a_seed(annals: Annals) -> None:
    matches = [f"m{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        seeds = list(threads.map(lambda match: annals.seeds.take("ann", match), matches * 2))
    assert seeds[:40] == seeds[40:]
    assert sorted(seed.index for seed in seeds[:40]) == list(range(1, 41))
    assert len({seed.secret for seed in seeds}) == 40


def test_with_another_key_all_seeds_are_others(annals: Annals) -> None:
    redis = annals.store.redis
    before = Seeds(redis).next("ann")
    redis.delete(SEEDS_KEY)
    after = Seeds(redis).next("ann")
    assert before.index == after.index
    assert before.secret != after.secret


def test_a_closed_table_reveals_its_seed(ann: Api) -> None:
    match = ann.post("/v1/matches", PLAN).json
    assert match["seed"] is None
    path = f"/v1/matches/{match['id']}"
    [aborted] = ann.delete(path).json["events"]
    closed = ann.get(path).json
    assert sha256(bytes.fromhex(aborted["seed"])).hexdigest() == match["seed_hash"]
    assert closed["seed"] == aborted["seed"]


def test_a_nonce_is_shown_from_the_start_on_and_is_in_the_dice(
    ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    match = ann.post("/v1/matches", {**PLAN, "nonce": NONCE}).json
    path = f"/v1/matches/{match['id']}"
    promised = sha256(bytes.fromhex(NONCE)).hexdigest()
    for viewer in (ann, bob, nobody):
        seats = viewer.get(path).json["seats"]
        assert [seat["commitment"] for seat in seats] == [promised, None]
        assert [seat["nonce"] for seat in seats] == [None, None]
        assert NONCE not in viewer.get(f"{path}/events").text
    other = "cd" * 32
    bob.post(f"{path}/seats", {"nonce": other})
    assert [seat["nonce"] for seat in nobody.get(path).json["seats"]] == [NONCE, other]
    known = annals.matches.latest(match["id"])
    assert known.dice_key == dice_key(known.seed, (NONCE, other))
    play_on(path, ann, bob)


def test_a_nonce_that_was_committed_to_is_opened_once_all_seats_are_taken(
    ann: Api, bob: Api, clock: Clock
) -> None:
    promised = sha256(bytes.fromhex(NONCE)).hexdigest()
    match = ann.post("/v1/matches", {**PLAN, "commitment": promised}).json
    path = f"/v1/matches/{match['id']}"
    assert match["nonces_until"] is None
    assert ann.post(f"{path}/nonce", {"nonce": NONCE}).json["code"] == "nothing_to_open"
    taken = bob.post(f"{path}/seats", {"nonce": "cd" * 32}).json
    assert taken["status"] == "open"
    assert ann.get(path).json["nonces_until"] == iso(clock() + NONCE_OPENING_MS)
    assert ann.post(f"{path}/nonce", {"nonce": "cd" * 32}).json["code"] == "nothing_to_open"
    begun = ann.post(f"{path}/nonce", {"nonce": NONCE}, Idempotency_Key="k")
    assert begun.json["status"] == "active"
    assert ann.post(f"{path}/nonce", {"nonce": NONCE}, Idempotency_Key="k").json == begun.json
    assert [seat["nonce"] for seat in bob.get(path).json["seats"]] == [NONCE, "cd" * 32]


def test_one_gives_a_nonce_or_commits_to_it(ann: Api) -> None:
    refused = ann.post("/v1/matches", {**PLAN, "nonce": NONCE, "commitment": NONCE})
    assert [error["pointer"] for error in refused.json["errors"]] == ["#/commitment"]


def test_a_hotseat_player_adds_one_nonce_for_all_their_seats(ann: Api) -> None:
    plan = {"game": "toy", "seats": [{"me": True}, {"me": True}], "nonce": NONCE}
    match = ann.post("/v1/matches", plan).json
    assert [seat["nonce"] for seat in match["seats"]] == [NONCE, NONCE]


def test_a_nonce_is_32_bytes_and_needs_a_seat(ann: Api, bob: Api) -> None:
    for wrong in ("", "ab", NONCE.upper(), NONCE + "ab", 7):
        refused = ann.post("/v1/matches", {**PLAN, "nonce": wrong})
        assert [error["pointer"] for error in refused.json["errors"]] == ["#/nonce"]
        refused = bob.post(f"{open_table(ann)}/seats", {"nonce": wrong})
        assert [error["pointer"] for error in refused.json["errors"]] == ["#/nonce"]
    bots = {"game": "toy", "seats": [{"open": True}, {"open": True}], "nonce": NONCE}
    assert ann.post("/v1/matches", bots).json["errors"] == [
        {"detail": "This needs a seat of your own (`me`).", "pointer": "#/nonce"}
    ]
