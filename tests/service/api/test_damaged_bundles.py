"""Damage to a bundle of a match in the log: `annals verify` and examples/verify.mjs name each kind,
or call the step open; neither ends with 0. test_every_part_of_a_bundle.py damages each part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.audit.log_entries import OpenLeaf, read_leaf
from domain.audit.notes import read_checkpoint, read_note
from domain.audit.proofs import read_proof
from domain.games import GAMES
from service.matches.container import Annals
from service.tlog.checkpoint_signer import CheckpointSigner
from tests.service.api.bundles import (
    BY_BOTH,
    Bundle,
    commitment_of,
    corrupt,
    exit_code_of,
    export_bundle,
    forge,
    play_scored_match,
    second_verdict,
    second_verdicts,
    verdict,
)
from tests.service.api.conftest import Api, Clock
from tests.service.api.test_log import annals, folder, notary  # noqa: F401 - fixtures
from workers.tools.check.verify import verify

How = Callable[[Bundle], object]
INDEX = re.compile(r"index (\d+)")


def in_text(version: int, old: str, new: str) -> How:
    """Replace words in the text of an entry; -1 is the last."""

    def how(bundle: Bundle) -> None:
        entry = bundle["entries"][version - 1 if version > 0 else version]
        assert old in entry["text"], entry["text"]
        entry["text"] = entry["text"].replace(old, new, 1)

    return how


def in_members(number: int, **members: object) -> How:
    """Replace or add members in the text of an entry."""

    def how(bundle: Bundle) -> None:
        entry = bundle["entries"][number - 1]
        changed = {**json.loads(entry["text"]), **members}
        entry["text"] = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))

    return how


def in_end(old: str, new: str) -> How:
    """Replace words in the entry with the result."""

    def how(bundle: Bundle) -> None:
        entry = next(one for one in bundle["entries"] if '"Scored"' in one["text"])
        assert re.search(old, entry["text"]), entry["text"]
        entry["text"] = re.sub(old, new, entry["text"], count=1)

    return how


def shorten(bundle: Bundle) -> None:
    """Remove the last entry and all references to it."""
    bundle["entries"].pop()
    bundle["version"] -= 1
    bundle["head"] = bundle["entries"][-1]["head"]


def end_early(bundle: Bundle) -> None:
    """Remove the end, the seed, and all that only the end reveals."""
    shorten(bundle)
    bundle.update(seed=None, salts=None)
    for entry in bundle["entries"]:
        entry.update(openings=[], draws=[])


def change_draw(bundle: Bundle) -> None:
    entry = next(entry for entry in bundle["entries"] if entry["draws"])
    sides, number = entry["draws"][0]
    entry["draws"][0] = [sides, (number + 1) % sides]


def change_fact(bundle: Bundle) -> None:
    entry = next(entry for entry in bundle["entries"] if entry["openings"])
    entry["openings"][0]["fact"] = "[9]"


def drop_opening(bundle: Bundle) -> None:
    next(entry for entry in bundle["entries"] if entry["openings"])["openings"].pop()


def swap_hidden_facts(bundle: Bundle) -> None:
    """Swap two hidden facts of one entry, with salts that fit."""
    for entry in bundle["entries"]:
        first = next(iter(entry["openings"]), None)
        for other in entry["openings"]:
            if other["fact"] != first["fact"]:
                for one, fact in ((first, other["fact"]), (other, first["fact"])):
                    before, one["fact"] = commitment_of(one), fact
                    entry["text"] = entry["text"].replace(before, commitment_of(one))
                return
    raise AssertionError("No entry has two different hidden facts.")


def of_all(member: str) -> How:
    """Empty a member of all entries."""
    return lambda bundle: [entry[member].clear() for entry in bundle["entries"]]


def hide_seed_and(how: How) -> How:
    """Leave out the seed, and change something that only the seed shows."""

    def hiding(bundle: Bundle) -> None:
        how(bundle)
        bundle.update(seed=None)

    return hiding


def in_proofs(change: Callable[[str], str]) -> How:
    return lambda bundle: bundle.update(proofs=[change(proof) for proof in bundle["proofs"]])


def keep_proof_of(kind: str) -> How:
    """Drop the proof of the opening or of the head."""
    return lambda bundle: bundle.update(
        proofs=[
            proof
            for proof in bundle["proofs"]
            if isinstance(read_leaf(read_proof(proof).extra), OpenLeaf) == (kind == "open")
        ]
    )


def in_as(seat: object) -> How:
    return lambda bundle: bundle.update({"as": seat})


def size_of(proof: str) -> str:
    return str(read_checkpoint(read_note(proof.partition("\n\n")[2]).text).size)


WRONG_MEMBERS: dict[str, list[object]] = {
    "version": ["4", 4.5, True, None],
    "kind": [7, None, {}],
    "actor": [7, None, []],
    "at": ["7", 7.5, True, None, {}],
    "rules": ["1", 1.5, None],
    "move": [[], "Pass", 0],
    "events": [{}, None, "x", [1], [None]],
    "format": ["1", 1.5],
    "more": [1, None],
}
"""Values that the members of an entry cannot have; `more` is no member."""
WRONG: list[tuple[str, How, str]] = [
    ("an entry changed", in_text(4, '"actor":"', '"actor":"x'), "chain"),
    ("an entry dropped", lambda one: one["entries"].pop(4), "chain"),
    ("the last entry dropped", lambda one: one["entries"].pop(), "chain"),
    ("the first entry dropped", lambda one: one["entries"].pop(0), "chain"),
    ("all entries dropped", lambda one: one["entries"].clear(), "chain"),
    ("entries swapped", lambda one: one["entries"].insert(3, one["entries"].pop(4)), "chain"),
    ("an entry repeated", lambda one: one["entries"].insert(3, one["entries"][3]), "chain"),
    ("a head changed", lambda one: one["entries"][5].update(head="00" * 32), "chain"),
    ("the head of all changed", lambda one: one.update(head="00" * 32), "chain"),
    ("the version changed", lambda one: one.update(version=one["version"] + 1), "chain"),
    ("another match", lambda one: one.update(match="other"), "chain"),
    ("another hash of the seed", lambda one: one.update(seed_hash="00" * 32), "chain"),
    ("a text that is no JSON", lambda one: one["entries"][2].update(text="{"), "chain"),
    ("a fact changed", change_fact, "openings"),
    ("an opening dropped", drop_opening, "openings"),
    ("all openings dropped", of_all("openings"), "openings"),
    (
        "an opening of nothing",
        lambda one: one["entries"][0]["openings"].append(
            {"field": "events.0.nothing", "salt": "00", "fact": "1"}
        ),
        "openings",
    ),
    ("the seed left out", lambda one: one.update(seed=None), "seed"),
    ("the seed left out and a number changed", hide_seed_and(change_draw), "seed"),
    ("a number changed and the seed left out", hide_seed_and(change_draw), "draws"),
    ("the seed and all openings left out", hide_seed_and(of_all("openings")), "seed"),
    ("openings left out with the seed", hide_seed_and(of_all("openings")), "openings"),
    ("the salts left out", lambda one: one.update(salts=None), "seed"),
    ("a seed with a space", lambda one: one.update(seed=" " + one["seed"]), "seed"),
    ("another seed", lambda one: one.update(seed="00" * 32), "seed"),
    ("a number changed", change_draw, "draws"),
    ("the numbers left out", of_all("draws"), "draws"),
    ("cut off before the end", shorten, "inclusion"),
    ("cut off before the end, with its secrets", end_early, "inclusion"),
    ("another actor, chained anew", forge(in_text(4, '"actor":"', '"actor":"x')), "inclusion"),
    ("another result, chained anew", forge(in_end('"points":', '"points":1')), "inclusion"),
    ("another seed told, chained anew", forge(in_end('"seed":".', '"seed":"')), "seed"),
    ("other facts, chained anew", forge(swap_hidden_facts), "inclusion"),
    ("other rules, chained anew", forge(in_text(4, '"rules":', '"rules":9')), "inclusion"),
    ("an unknown member, chained anew", forge(in_text(4, "{", '{"more":1,')), "inclusion"),
    *(
        (f"{name} is {value!r}, in a new chain", forge(in_members(4, **{name: value})), "chain")
        for name, values in WRONG_MEMBERS.items()
        for value in values
    ),
    (
        "another leaf",
        in_proofs(lambda one: INDEX.sub(lambda found: f"index {int(found[1]) ^ 1}", one)),
        "inclusion",
    ),
    (
        "another size of the log",
        in_proofs(lambda one: one.replace(f"\n{size_of(one)}\n", "\n999\n")),
        "note",
    ),
    ("another log", in_proofs(lambda one: one.replace("annals.example", "annals.exampel")), "note"),
    ("no signature", in_proofs(lambda one: one[: one.rindex("\u2014")]), "note"),
    ("no proof", in_proofs(lambda _: "c2sp.org/tlog-proof@v1\n"), "note"),
    ("newer rules", lambda one: one.update(rules=one["rules"] + 1), "draws"),
    ("older rules", lambda one: one.update(rules=one["rules"] - 1), "draws"),
    ("for a seat that is not there", in_as(2), "openings"),
    ("for no kind of a seat", in_as("0"), "bundle"),
    ("no keys", lambda one: one["keys"].clear(), "note"),
    ("an unknown member", lambda one: one.update(more=1), "bundle"),
    ("an unknown member of an entry", lambda one: one["entries"][3].update(more=1), "bundle"),
    ("another format", lambda one: one.update(bundle=2), "bundle"),
    ("a missing member", lambda one: one.pop("proofs"), "bundle"),
]
OPEN: list[tuple[str, How, str]] = [
    ("the proofs left out", lambda one: one["proofs"].clear(), "inclusion"),
    ("the proof of the end left out", keep_proof_of("open"), "inclusion"),
    ("the proof of the opening left out", keep_proof_of("head"), "inclusion"),
    ("a proof there twice", lambda one: one["proofs"].append(one["proofs"][0]), "inclusion"),
    ("for a seat, with what all know", in_as(0), "openings"),
]


IMPOSSIBLE = {("hansa_teutonica", "other facts, chained anew")}
"""Damages that a game does not allow: no entry of this one hides two facts."""


@pytest.fixture
def game() -> str:
    """A game with draws and hidden tiles."""
    return "tigris_euphrates"


@pytest.fixture
def bundle(
    game: str, notary: CheckpointSigner, annals: Annals, ann: Api, bob: Api, clock: Clock,  # noqa: F811
) -> Bundle:  # fmt: skip
    """A match whose opening and end are in the log."""
    table = play_scored_match(annals, ann, bob, game)
    notary.step(clock())
    return export_bundle(ann, table)


def first_outcomes(bundle: Bundle, folder: Path) -> dict[str, str]:  # noqa: F811
    """The outcomes that `annals verify` prints by step; its exit code must be theirs."""
    file = folder / "first.annals.json"
    file.write_text(json.dumps(bundle))
    said = CliRunner().invoke(verify, [str(file)])
    lines = (line.split(maxsplit=2) for line in said.output.splitlines())
    outcomes = {name.rstrip(":"): outcome.lower() for outcome, name, *_ in lines}
    assert said.exit_code == exit_code_of(outcomes.values()), said.output
    return outcomes


def test_a_bundle_without_damage_is_ok(bundle: Bundle, tmp_path: Path) -> None:
    assert {*first_outcomes(bundle, tmp_path).values()} == {"ok"}
    assert {*second_verdict(bundle, tmp_path).values()} == {"ok"}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game == "tigris_euphrates" else pytest.mark.long)
        for game in GAMES
    ],
)
def test_both_verifiers_name_every_damage_or_call_it_open(
    bundle: Bundle, game: str, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    kinds = [*((one, "wrong") for one in WRONG), *((one, "open") for one in OPEN)]
    kinds = [(one, outcome) for one, outcome in kinds if (game, one[0]) not in IMPOSSIBLE]
    damaged = [corrupt(bundle, how) for (_, how, _), _ in kinds]
    seconds = second_verdicts([json.dumps(one) for one in damaged])
    for ((name, _, step), outcome), one, second in zip(kinds, damaged, seconds, strict=True):
        with subtests.test(name):
            first = first_outcomes(one, tmp_path)
            assert first[step] == outcome, first
            assert second == {one: first[one] for one in second}, first


def test_the_second_verifier_ends_with_another_code_for_wrong_than_for_open(
    bundle: Bundle, tmp_path: Path
) -> None:
    """Its exit code is compared with the outcomes."""
    for (_, how, step), outcome in ((WRONG[0], "wrong"), (OPEN[0], "open")):
        assert second_verdict(corrupt(bundle, how), tmp_path)[step] == outcome


def test_without_its_seed_a_finished_match_is_checked_with_the_seed_that_its_end_reveals(
    bundle: Bundle, tmp_path: Path
) -> None:
    damaged = corrupt(bundle, lambda one: one.update(seed=None))
    first = first_outcomes(damaged, tmp_path)
    assert first == {name: "wrong" if name == "seed" else "ok" for name in first}
    assert second_verdict(damaged, tmp_path) == {one: first[one] for one in BY_BOTH}


def test_only_the_rules_show_that_a_board_is_another(bundle: Bundle, tmp_path: Path) -> None:
    damaged = corrupt(bundle, lambda one: one["board"].update(more=1))
    assert first_outcomes(damaged, tmp_path)["rules"] == "wrong"
    assert second_verdict(damaged, tmp_path) == dict.fromkeys(BY_BOTH, "ok")


def test_without_the_log_a_forgery_by_the_operator_is_wrong_or_open(
    bundle: Bundle, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    forgeries = {name: how for name, how, _ in WRONG if "chained anew" in name or "cut" in name}
    assert len(forgeries) > 5
    forged = [corrupt(bundle, how) | {"proofs": []} for how in forgeries.values()]
    seconds = second_verdicts([json.dumps(one) for one in forged])
    for name, one, second in zip(forgeries, forged, seconds, strict=True):
        with subtests.test(name):
            assert {*first_outcomes(one, tmp_path).values()} != {"ok"}
            assert {*second.values()} != {"ok"}


def test_the_first_wrong_version_is_named(bundle: Bundle) -> None:
    for how, step, version in (
        (in_text(4, '"actor":"', '"actor":"x'), "chain", 4),
        (lambda one: one["entries"].pop(4), "chain", 5),
        (lambda one: one["entries"][5].update(head="00" * 32), "chain", 6),
        (forge(in_text(4, '"actor":"', '"actor":"x')), "rules", 4),
    ):
        assert verdict(corrupt(bundle, how))[step].version == version
