"""Bundles of matches in the log, with proofs, notes and cosignatures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.audit.notes import COSIGNATURE, Key, Witness, read_key
from domain.audit.proofs import read_proof
from service.matches.container import Annals
from service.tlog.checkpoint_signer import CheckpointSigner
from tests.service.api.bundles import (
    BY_BOTH,
    Bundle,
    Trust,
    corrupt,
    export_bundle,
    play_scored_match,
    second_verdict,
    verdict,
    wrong_steps,
)
from tests.service.api.conftest import Api, Clock
from tests.service.api.test_log import annals, folder, notary  # noqa: F401 - fixtures
from workers.tools.check.verify import verify


@pytest.fixture
def bundle(notary: CheckpointSigner, annals: Annals, ann: Api, bob: Api, clock: Clock) -> Bundle:  # noqa: F811
    table = play_scored_match(annals, ann, bob, "toy")
    play_scored_match(annals, ann, bob, "toy")
    notary.step(clock())
    assert ann.get(f"{table}/audit").json["in_log"]
    return export_bundle(ann, table)


def key_of(bundle: Bundle) -> Key:
    return read_key(bundle["keys"][0])


def test_a_bundle_proves_that_the_match_is_in_the_log(bundle: Bundle, tmp_path: Path) -> None:
    steps = verdict(bundle, Trust((key_of(bundle),)))
    assert {step.outcome for step in steps.values()} == {"ok"}
    assert "opened" in steps["inclusion"].message
    assert f"head of version {bundle['version']} (ended)" in steps["inclusion"].message
    assert second_verdict(bundle, tmp_path) == dict.fromkeys(BY_BOTH, "ok")


def test_a_trusted_key_takes_precedence_over_that_of_the_bundle(bundle: Bundle) -> None:
    assert "the bundle itself names" in verdict(bundle)["note"].message
    assert "a key that you trust" in verdict(bundle, Trust((key_of(bundle),)))["note"].message


def test_the_key_of_the_log_is_no_witness(bundle: Bundle) -> None:
    [own] = map(read_key, bundle["keys"])
    renamed = Key("witness.example/w1", COSIGNATURE, own.public)
    for key in (own, renamed):
        for logs in ((), (own,)):
            step = verdict(bundle, Trust(logs, (key,), 1))["cosignatures"]
            assert step.outcome == "wrong"
            assert f"{key.name} has the key of the log" in step.message


def test_witnesses_that_are_wanted_must_have_signed(bundle: Bundle) -> None:
    witness = Witness("witness.example/w1", bytes(32))
    trust = Trust((), (witness.key,), 1)
    assert wrong_steps(verdict(bundle, trust)) == {"cosignatures"}
    signed = corrupt(bundle, lambda one: one.update(proofs=[*map(cosign, one["proofs"])]))
    step = verdict(signed, trust)["cosignatures"]
    assert (step.outcome, step.message) == ("ok", "signed by witness.example/w1.")


def cosign(proof: str) -> str:
    """A proof with the signature of a witness."""
    witness = Witness("witness.example/w1", bytes(32))
    note = read_proof(proof).checkpoint
    return proof + witness.cosign(note.text, 1_800_000_000).line


def test_no_byte_of_a_proof_can_be_another_one(bundle: Bundle) -> None:
    proof = bundle["proofs"][-1]
    extra = proof.index("\n", proof.index("extra"))
    for place in range(extra + 1, len(proof) - 1, 3):
        other = "A" if proof[place] != "A" else "B"
        text = proof[:place] + other + proof[place + 1 :]
        changed = corrupt(bundle, lambda one, text=text: one.update(proofs=[text]))
        assert wrong_steps(verdict(changed)) & {"inclusion", "note"}, place


def test_the_command_checks_with_a_key(bundle: Bundle, tmp_path: Path) -> None:
    file = tmp_path / "bundle"
    file.write_text(json.dumps(bundle))
    said = CliRunner().invoke(verify, [str(file), "--key", bundle["keys"][0]])
    assert said.exit_code == 2, said.output  # the command does not know the rules of the toy
    assert "ok     note: signed by annals.example/v1/log with a key that you trust." in said.output
    said = CliRunner().invoke(verify, [str(file), "--key", "nonsense"])
    assert said.exit_code == 64
