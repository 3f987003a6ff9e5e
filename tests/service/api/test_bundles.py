"""Bundles of matches: whoever has one can check all of it; whatever is changed in it is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from domain.audit.bundle import read_bundle
from domain.audit.checks import Trust, check_bundle
from domain.audit.errors import Unproven
from domain.audit.texts import Salts, commitment, head_after
from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.bundles import (
    BY_BOTH,
    Bundle,
    damaged,
    exported,
    scored,
    second_verdict,
    verdict,
    wrong_steps,
)
from tests.service.api.conftest import Api, moves, opened, play_on, system
from workers.tools.check.verify import verify

TOLD = ["chain", "openings", "seed", "draws", "rules", "score", "inclusion", "note", "cosignatures"]


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_all_of_a_match_that_is_over_can_be_checked(
    game: str, ann: Api, bob: Api, nobody: Api, annals: Annals, tmp_path: Path
) -> None:
    table = scored(annals, ann, bob, game)
    bundle = exported(nobody, table)
    steps = verdict(bundle)
    assert list(steps) == TOLD
    assert {name for name, step in steps.items() if step.outcome == "ok"} >= {*TOLD[:6]}, steps
    assert bundle == exported(ann, table) | {"as": None}
    content, outcomes = second_verdict(bundle, tmp_path)
    assert content
    assert outcomes == {name: steps[name].outcome for name in BY_BOTH}
    audit = nobody.get(f"{table}/audit").json
    assert (audit["sound"], audit["first_wrong"], audit["head"]) == (True, None, bundle["head"])


def test_a_bundle_outlives_the_rules_by_which_it_was_played(
    ann: Api, bob: Api, annals: Annals
) -> None:
    """Chance is still found to be what fell; what the rules made of it is left open."""
    bundle = read_bundle(json.dumps(exported(ann, scored(annals, ann, bob, "great_wall"))).encode())
    assert any(line.draws for line in bundle.entries)
    game = GAMES["great_wall"]
    later = {game.key: replace(game, rules=game.rules + 1)}
    steps = {step.name: step for step in check_bundle(later, bundle, Trust())}
    assert {name for name, step in steps.items() if step.outcome == "ok"} >= {*TOLD[:4]}
    assert not wrong_steps(steps)
    assert steps["rules"].outcome == steps["score"].outcome == "open"
    assert f"here are rules {game.rules + 1}." in steps["rules"].says


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_a_match_that_came_to_nothing_can_be_checked_with_all_that_was_hidden(
    game: str, ann: Api, bob: Api, nobody: Api, annals: Annals, tmp_path: Path
) -> None:
    table = opened(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    system(annals, table, lambda match, _: ending.close(match, "request"))
    bundle = exported(nobody, table)
    steps = verdict(bundle)
    assert not wrong_steps(steps)
    assert ", 0 hidden" in steps["openings"].says
    assert second_verdict(bundle, tmp_path)[0]


def test_who_gave_the_seed_cannot_find_out_what_was_committed_to(
    ann: Api, bob: Api, annals: Annals, tmp_path: Path
) -> None:
    seed = bytes(range(32))
    table = opened(ann, bob, seed=seed.hex())
    bob.post(f"{table}/moves", {"move": moves(bob, table)[0]})
    assert exported(ann, table)["salts"] is None
    text = exported(ann, table)["entries"][2]["text"]
    [card] = [
        one for one in exported(bob, table)["entries"][2]["openings"] if "card" in one["field"]
    ]
    version = json.loads(text)["version"]
    match = table.rpartition("/")[2]
    guessed = commitment(Salts(match, seed).of(version, card["field"]), card["fact"].encode())
    assert committed(card) in text
    assert guessed not in text
    for player in (bob, ann):
        player.post(f"{table}/resign")
    system(annals, table, lambda match, _: ending.score(match))
    bundle = exported(ann, table)
    assert bundle["salts"] != bundle["seed"] == seed.hex()
    assert not wrong_steps(verdict(bundle))
    assert second_verdict(bundle, tmp_path)[0]
    assert ann.get(f"{table}/audit").json["sound"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_began_as_it_was_opened_can_be_checked(
    game: str, ann: Api, annals: Annals, tmp_path: Path
) -> None:
    level = GAMES[game].levels[0].key
    seats = [{"me": True}, *[{"bot": level}] * (GAMES[game].seats[0] - 1)]
    table = ann.post("/v1/matches", {"game": game, "seats": seats, "nonce": "ab" * 32}).json
    path = f"/v1/matches/{table['id']}"
    assert ann.get(path).json["status"] == "active"
    ann.post(f"{path}/resign")
    system(annals, path, lambda match, _: ending.score(match))
    bundle = exported(ann, path)
    assert not wrong_steps(verdict(bundle))
    assert second_verdict(bundle, tmp_path)[0]


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_of_a_match_that_goes_on_each_can_check_what_they_may_know(
    game: str, ann: Api, bob: Api, nobody: Api, tmp_path: Path
) -> None:
    table = opened(ann, bob, game=game)
    play_on(table, ann, bob, until=6)
    for player, seat in ((ann, 0), (bob, 1), (nobody, None)):
        bundle = exported(player, table)
        assert (bundle["as"], bundle["seed"]) == (seat, None)
        outcomes = {name: step.outcome for name, step in verdict(bundle).items()}
        assert outcomes["chain"] == outcomes["openings"] == "ok"
        assert {*outcomes.values()} == {"ok", "open"}
        assert second_verdict(bundle, tmp_path)[1] == {one: outcomes[one] for one in BY_BOTH}


def test_a_bundle_shows_no_more_than_the_seat_may_know(toy: str, ann: Api, bob: Api) -> None:
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    mine, theirs = exported(bob, toy), exported(ann, toy)
    assert [one["field"] for one in mine["entries"][2]["openings"]] == ["move", "events.0.card"]
    assert theirs["entries"][2]["openings"] == []
    assert [one["text"] for one in mine["entries"]] == [one["text"] for one in theirs["entries"]]


def chained_anew(bundle: Bundle) -> None:
    """Give all entries the heads that fit them, as a forger would."""
    head = bytes(32)
    for entry in bundle["entries"]:
        head = head_after(head, entry["text"].encode())
        entry["head"] = head.hex()
    bundle["head"] = head.hex()


def another_actor(bundle: Bundle) -> None:
    entry = bundle["entries"][3]
    entry["text"] = entry["text"].replace('"actor":"', '"actor":"x', 1)


def forged(how: Callable[[Bundle], object]) -> Callable[[Bundle], None]:
    """A change after which the chain was made anew."""

    def forging(bundle: Bundle) -> None:
        how(bundle)
        chained_anew(bundle)

    return forging


def another_score(bundle: Bundle) -> None:
    entry = bundle["entries"][-1]
    entry["text"] = entry["text"].replace('"points":', '"points":1', 1)


def another_draw(bundle: Bundle) -> None:
    entry = next(entry for entry in bundle["entries"] if entry["draws"])
    sides, number = entry["draws"][0]
    entry["draws"][0] = [sides, (number + 1) % sides]


def another_fact(bundle: Bundle) -> None:
    entry = next(entry for entry in bundle["entries"] if entry["openings"])
    entry["openings"][0]["fact"] = "[9]"


def another_deal(bundle: Bundle) -> None:
    """Let two cards that were drawn change places, with salts that fit."""
    for entry in bundle["entries"]:
        first = next(iter(entry["openings"]), None)
        for other in entry["openings"]:
            if other["fact"] != first["fact"]:
                for one, fact in ((first, other["fact"]), (other, first["fact"])):
                    before, one["fact"] = committed(one), fact
                    entry["text"] = entry["text"].replace(before, committed(one))
                return
    raise AssertionError("Nobody drew anything else.")


def committed(opening: dict[str, str]) -> str:
    return commitment(bytes.fromhex(opening["salt"]), opening["fact"].encode())


DAMAGE: list[tuple[str, Callable[[Bundle], object], str, int | None]] = [
    ("an entry changed", another_actor, "chain", 4),
    ("an entry dropped", lambda one: one["entries"].pop(4), "chain", 5),
    ("the last entry dropped", lambda one: one["entries"].pop(), "chain", None),
    ("the first entry dropped", lambda one: one["entries"].pop(0), "chain", 1),
    ("all entries dropped", lambda one: one["entries"].clear(), "chain", None),
    ("entries swapped", lambda one: one["entries"].insert(3, one["entries"].pop(4)), "chain", 4),
    ("an entry repeated", lambda one: one["entries"].insert(3, one["entries"][3]), "chain", 5),
    (
        "an entry inserted",
        lambda one: one["entries"].insert(2, {**one["entries"][2], "head": "00" * 32}),
        "chain",
        3,
    ),
    ("a head changed", lambda one: one["entries"][5].update(head="00" * 32), "chain", 6),
    ("the head of all changed", lambda one: one.update(head="00" * 32), "chain", None),
    ("shortened", lambda one: one.update(version=one["version"] + 1), "chain", None),
    ("another match", lambda one: one.update(match="other"), "chain", 1),
    ("another hash of the seed", lambda one: one.update(seed_hash="00" * 32), "chain", 1),
    ("no JSON", lambda one: one["entries"][2].update(text="{"), "chain", 3),
    ("a fact changed", another_fact, "openings", None),
    (
        "an opening dropped",
        lambda one: [entry["openings"].clear() for entry in one["entries"]],
        "openings",
        None,
    ),
    (
        "an opening of nothing",
        lambda one: one["entries"][0]["openings"].append(
            {"field": "events.0.nothing", "salt": "00", "fact": "1"}
        ),
        "openings",
        1,
    ),
    ("a seed with a space", lambda one: one.update(seed=" " + one["seed"]), "seed", None),
    ("another seed", lambda one: one.update(seed="00" * 32), "seed", 1),
    ("a number changed", another_draw, "draws", None),
    ("numbers dropped", lambda one: [e["draws"].clear() for e in one["entries"]], "rules", None),
    ("another deal, chained anew", forged(another_deal), "rules", None),
    ("another board", lambda one: one["board"].update(more=1), "rules", 1),
    ("another score, chained anew", forged(another_score), "score", None),
]


@pytest.mark.parametrize(
    ("how", "step", "version"), [case[1:] for case in DAMAGE], ids=[case[0] for case in DAMAGE]
)
@pytest.mark.parametrize("game", ["toy"])
def test_damage_is_found_and_named(
    how: Callable[[Bundle], object],
    step: str,
    version: int | None,
    game: str,
    ann: Api,
    bob: Api,
    annals: Annals,
    tmp_path: Path,
) -> None:
    bundle = damaged(exported(ann, scored(annals, ann, bob, game)), how)
    steps = verdict(bundle)
    assert step in wrong_steps(steps), steps
    if version is not None:
        assert steps[step].version == version, steps[step]
    content, outcomes = second_verdict(bundle, tmp_path)
    shared = wrong_steps(steps) & {*BY_BOTH}
    assert {name for name, outcome in outcomes.items() if outcome == "wrong"} == shared
    assert content == (not shared)


def test_the_command_tells_each_step(ann: Api, bob: Api, annals: Annals, tmp_path: Path) -> None:
    table = scored(annals, ann, bob, "qin")
    file = tmp_path / "match.annals.json"
    file.write_bytes(ann.get(f"{table}/export").data)
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 0, said.output
    assert [line.split(":")[0].split()[1] for line in said.output.splitlines()] == TOLD
    file.write_text(file.read_text().replace('\\"kind\\":\\"Moved', '\\"kind\\":\\"Mooed', 1))
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 1
    assert "WRONG  chain: version 3: the head does not follow" in said.output


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "This is not a bundle of a match"),
        (b"\xff\xfe", "This is not a bundle of a match"),
        (b"[" * 100_000, "This is not a bundle of a match"),
        (b"{}", "Object missing required field"),
        (b'{"bundle":2}', "missing required field"),
    ],
)
def test_what_is_no_bundle_is_called_so(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    said = CliRunner().invoke(verify, [str(file)])
    assert said.exit_code == 1
    assert says in said.output
    assert "Traceback" not in said.output


def test_one_must_say_what_to_verify() -> None:
    assert "There is no file a.json." in CliRunner().invoke(verify, ["a.json"]).output
    assert "say --all" in CliRunner().invoke(verify, []).output


@pytest.mark.parametrize("game", ["qin", "chang_cheng"])
def test_no_character_can_be_another_one(game: str, ann: Api, bob: Api, annals: Annals) -> None:
    """In texts, heads, openings and draws."""
    bundle, random = exported(ann, scored(annals, ann, bob, game)), Random(game)
    for _ in range(60):
        changed = {**bundle, "entries": garbled(bundle["entries"], random)}
        if changed != bundle:
            try:
                assert wrong_steps(verdict(changed)), changed
            except Unproven:
                continue


def garbled(entries: list[Bundle], random: Random) -> list[Bundle]:
    """Entries with another character somewhere, which leaves them JSON."""
    place = random.randrange(len(entries))
    text = json.dumps(entries[place])
    while True:
        at, other = random.randrange(len(text)), random.choice("abcdef0123456789")
        try:
            found = json.loads(text[:at] + other + text[at + 1 :])
        except ValueError:
            continue
        if found.keys() == entries[place].keys():
            return [*entries[:place], found, *entries[place + 1 :]]
