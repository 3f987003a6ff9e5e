"""Bundles of matches played over REST, and ways to corrupt them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import playwright

from domain.audit.bundle import read_bundle
from domain.audit.checks import check_bundle
from domain.audit.log_checks import Trust
from domain.audit.steps import CheckStep
from domain.audit.texts import commitment, head_after
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import BOTH, Api, open_table, play_on, system

ROOT = Path(__file__).parents[3]
NODE = Path(playwright.__file__).parent / "driver" / "node"
"""The Node.js that drives the browser of other tests."""
BY_BOTH = ("chain", "openings", "seed", "draws", "inclusion", "note")
BY_FIRST = ("rules", "score")
"""Steps that are always open in the second verifier, because it does not know the rules."""
SECOND_VERIFIER = f"""
import {{ readFileSync }} from "node:fs";
import {{ outcomes }} from "{(ROOT / "examples" / "verify.mjs").as_uri()}";
const bundles = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(bundles.map((bundle) => outcomes(bundle))));
"""
"""A program that reads the texts of bundles and writes the outcomes of each."""
NOBODY = Trust()
Bundle = dict[str, Any]


def play_scored_match(annals: Annals, ann: Api, bob: Api, game: str, until: int = 8) -> str:
    """The path of a match that both players resigned after some moves."""
    table = open_table(ann, bob, game=game)
    play_on(table, ann, bob, until=until)
    for player in (bob, ann):
        player.post(f"{table}/resign")
    system(annals, table, lambda match, _: ending.score(match))
    return table


def export_bundle(player: Api, path: str) -> Bundle:
    """The player's bundle."""
    bundle: Bundle = player.get(f"{path}/export").json
    return bundle


def verdict(bundle: Bundle, trust: Trust = NOBODY) -> dict[str, CheckStep]:
    """The outcomes of the verification by step."""
    read = read_bundle(json.dumps(bundle).encode())
    return {step.name: step for step in check_bundle(BOTH, read, trust)}


def second_verdict(bundle: Bundle, folder: Path) -> dict[str, str]:
    """The outcomes of the second verifier by step; its exit code must be the one that they give.
    The steps that it cannot check are left out.
    """
    file = folder / "match.annals.json"
    file.write_text(json.dumps(bundle))
    said = run_node(str(ROOT / "examples" / "verify.mjs"), str(file))
    lines = (line.split(maxsplit=2) for line in said.stdout.splitlines())
    outcomes = {name.rstrip(":"): outcome.lower() for outcome, name, _ in lines}
    assert said.returncode == exit_code_of(outcomes.values()), said.stderr
    return without_rules(outcomes)


def second_verdicts(texts: Sequence[str]) -> list[dict[str, str]]:
    """The outcomes of the second verifier for the texts of many bundles, from one process."""
    said = run_node("--input-type=module", "--eval", SECOND_VERIFIER, stdin=json.dumps(texts))
    assert said.returncode == 0, said.stderr
    return [
        without_rules({name: outcome.lower() for outcome, name, _ in found})
        for found in json.loads(said.stdout)
    ]


def run_node(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What a program in JavaScript prints, once it has ended."""
    return subprocess.run([NODE, *words], input=stdin, capture_output=True, text=True)


def without_rules(outcomes: dict[str, str]) -> dict[str, str]:
    """The outcomes of the steps that the second verifier checks; it must call the others open."""
    assert outcomes.keys() in ({*BY_BOTH, *BY_FIRST}, {"bundle"}), outcomes
    assert {outcomes.pop(name, "open") for name in BY_FIRST} == {"open"}
    return outcomes


def exit_code_of(outcomes: Collection[str]) -> int:
    """The exit code of a verifier with these outcomes."""
    return 1 if "wrong" in outcomes else 2 if "open" in outcomes else 0


def wrong_steps(steps: dict[str, CheckStep]) -> set[str]:
    return {name for name, step in steps.items() if step.outcome == "wrong"}


def corrupt(bundle: Bundle, how: Callable[[Bundle], object]) -> Bundle:
    """A changed copy."""
    copy: Bundle = json.loads(json.dumps(bundle))
    how(copy)
    return copy


def recompute_chain(bundle: Bundle) -> None:
    """Give all entries matching heads, as a forger would."""
    head = bytes(32)
    for entry in bundle["entries"]:
        head = head_after(head, entry["text"].encode())
        entry["head"] = head.hex()
    bundle["head"] = head.hex()


def forge(how: Callable[[Bundle], object]) -> Callable[[Bundle], None]:
    """A change followed by a recomputed chain."""

    def forging(bundle: Bundle) -> None:
        how(bundle)
        recompute_chain(bundle)

    return forging


def commitment_of(opening: dict[str, str]) -> str:
    return commitment(bytes.fromhex(opening["salt"]), opening["fact"].encode())
