"""The file of a proof: written, read, verified, and refused after any change."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.errors import Unproven
from domain.audit.notes import Checkpoint, Note, Signer
from domain.audit.proofs import Proof, check_proof, read_proof
from tests.audit import trees
from tests.support.for_each import for_each

ENTRIES = trees.entries(13)
SIGNER = Signer("annals.example/log", sha256(b"test key").digest())
OTHER = Signer("annals.example/log", sha256(b"another key").digest())


def proof_of(index, size=13, signer=SIGNER, extra=b""):
    text = Checkpoint(signer.key.name, size, trees.hash_of(ENTRIES[:size])).text
    path = tuple(trees.path(index, ENTRIES[:size]))
    return Proof(index, path, Note(text, (signer.sign(text),)), extra)


@for_each("size", [1, 2, 13])
@for_each("extra", [b"", b"for whoever reads it"])
def test_every_entry_is_proved_by_a_file(size, extra):
    for index in range(size):
        raw = str(proof_of(index, size, extra=extra))
        proof = read_proof(raw)
        assert str(proof) == raw
        assert proof.extra == extra
        assert check_proof(proof, ENTRIES[index], [SIGNER.key]).size == size


def test_what_a_file_looks_like():
    assert str(proof_of(0, 1, extra=b"abc")).splitlines()[:4] == [
        "c2sp.org/tlog-proof@v1", "extra YWJj", "index 0", "",
    ]  # fmt: skip


@given(st.integers(0, 8 * len(str(proof_of(5)).encode()) - 1))
def test_a_bit_that_flipped_anywhere_is_found(bit):
    raw = trees.flip_bit(str(proof_of(5)).encode(), bit)
    with pytest.raises((Unproven, UnicodeDecodeError)):
        check_proof(read_proof(raw.decode()), ENTRIES[5], [SIGNER.key])


def test_it_proves_no_other_entry_and_fails_for_a_client_with_another_key():
    with pytest.raises(Unproven, match="does not lead"):
        check_proof(proof_of(5), ENTRIES[6], [SIGNER.key])
    with pytest.raises(Unproven, match="no signature by a known key"):
        check_proof(proof_of(5), ENTRIES[5], [OTHER.key])
    with pytest.raises(Unproven, match="no signature by a known key"):
        check_proof(proof_of(5), ENTRIES[5], [])


def test_a_key_is_valid_only_for_its_own_log():
    elsewhere = Signer("elsewhere.example/log", sha256(b"another key").digest())
    text = proof_of(5).checkpoint.text
    proof = Proof(5, proof_of(5).hashes, Note(text, (elsewhere.sign(text),)))
    with pytest.raises(Unproven, match="no signature by a known key"):
        check_proof(proof, ENTRIES[5], [elsewhere.key])


RAW = str(proof_of(5))


@for_each(
    "raw",
    [
        "", "c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v1\n\n", RAW.replace("@v1", "@v2"),
        RAW.replace("index 5", "index 05"), RAW.replace("index 5\n", ""), RAW.replace("\n\n", "\n"),
        RAW.replace("index 5", "extra\nindex 5"), RAW.replace("index 5", "extra AA\nindex 5"),
        RAW.replace("index 5", "index 5" + 64 * ("\n" + 43 * "A" + "=")), RAW[:-1],
        RAW.replace("index 5", "extra AAAA"), "\n" + RAW,
    ],
)  # fmt: skip
def test_what_is_no_proof_is_refused(raw):
    with pytest.raises(Unproven):
        read_proof(raw)
