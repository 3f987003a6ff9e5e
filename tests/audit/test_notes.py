"""Signed notes, keys, checkpoints and cosignatures, also those of other implementations."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.errors import Unproven
from domain.audit.notes import (
    Checkpoint,
    Key,
    Note,
    Signature,
    Signer,
    Witness,
    find_signers,
    read_base64,
    read_checkpoint,
    read_key,
    read_note,
    read_number,
    read_signatures,
    time_of,
)
from domain.audit.tree import leaf_hash, root
from tests.audit.trees import flip_bit
from tests.support.for_each import for_each

SECRET = sha256(b"test key").digest()
SIGNER = Signer("annals.example/log", SECRET)
VECTOR = """annals.example/log
300
ICWOPXVmMJfWLizGNrKDgUyA8peTFKEakZ6kfhwRw8Y=

— annals.example/log KKDH9X3oiFYhTYu1tBzko0jAtPe2kbLVp53yTGp5/Bwlr+LWTqhx3/AtZ/SxjYJRqMs26YTgtBVFSXN4buQ+gMVfWwA=
"""  # noqa: E501
"""A checkpoint of 300 entries, which the reference implementation accepts."""
SOMEBODYS = (  # an example of the specification
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5"
    "/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJs"
    "X3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)


def vector_entry(n):
    head = sha256(str(n).encode()).hexdigest()
    return f"annals/v1\nmatch m{n:08d}\nversion {n % 300}\nhead {head}\n".encode()


def test_the_vector_is_what_we_make_of_the_same_entries():
    top = root([leaf_hash(vector_entry(n)) for n in range(300)])
    text = Checkpoint("annals.example/log", 300, top).text
    assert str(Note(text, (SIGNER.sign(text),))) == VECTOR


def test_the_vector_is_read_and_believed():
    note = read_note(VECTOR)
    assert str(note) == VECTOR
    assert find_signers(note, [SIGNER.key]) == [SIGNER.key]
    assert read_checkpoint(note.text).size == 300


@given(st.integers(0, 8 * len(VECTOR.encode()) - 1))
def test_a_bit_that_flipped_anywhere_is_found(bit):
    try:
        note = read_note(flip_bit(VECTOR.encode(), bit).decode())
        assert find_signers(note, [SIGNER.key]) == []
    except (Unproven, UnicodeDecodeError):
        pass


def test_notes_of_others_are_read():
    note = read_note(SOMEBODYS)
    assert str(note) == SOMEBODYS
    assert [one.name for one in note.signatures] == [
        "example.com/behind-the-sofa", "witness.example.com/w1",
    ]  # fmt: skip
    assert time_of(note.signatures[1]) == 1679315147
    assert find_signers(note, [SIGNER.key]) == []


def test_a_key_is_written_and_read():
    key = SIGNER.key
    assert key.vkey == "annals.example/log+28a0c7f5+" + b64encode(b"\x01" + key.public).decode()
    assert read_key(key.vkey) == key
    cosigns = Witness("witness.example/w1", SECRET).key
    assert read_key(cosigns.vkey) == cosigns
    assert cosigns.id != key.id


KEY = SIGNER.key.vkey


@for_each(
    "vkey",
    [
        "", "name", "name+00000000+", KEY[:-1], KEY[:-4], KEY.replace("+28a0", "+28a1"),
        KEY.replace("annals", "annal"), KEY.replace("log+", "l og+"), "+" + KEY.split("+", 1)[1],
        f"{Key('n', 6, b'k' * 32).vkey}", f"{Key('n', 1, b'k' * 31).vkey}", KEY + "\n",
    ],
)  # fmt: skip
def test_what_is_no_key_is_refused(vkey):
    with pytest.raises(Unproven):
        read_key(vkey)


def test_cosignatures_say_when():
    witness = Witness("witness.example/w1", sha256(b"witness").digest())
    text = read_note(VECTOR).text
    cosignature = witness.cosign(text, 1_790_000_000)
    note = Note(text, (SIGNER.sign(text), cosignature))
    assert find_signers(read_note(str(note)), [SIGNER.key, witness.key]) == [
        SIGNER.key,
        witness.key,
    ]
    assert time_of(cosignature) == 1_790_000_000
    later = Signature(cosignature.name, cosignature.key_id, flip_bit(cosignature.value, 3))
    with pytest.raises(Unproven, match="A signature of witness"):
        find_signers(Note(text, (later,)), [witness.key])


def test_unknown_signatures_are_passed_over_and_known_ones_must_fit():
    text = read_note(VECTOR).text
    strange = tuple(Signature(f"other{n}", b"0000", b"?" * (n + 1)) for n in range(16))
    ours = SIGNER.sign(text)
    same_name = Signature(ours.name, b"0000", ours.value)
    same_id = Signature("other", ours.key_id, ours.value)
    note = read_note(str(Note(text, (*strange, same_name, same_id, ours))))
    assert find_signers(note, [SIGNER.key]) == [SIGNER.key]
    broken = Signature(ours.name, ours.key_id, ours.value[:-1])
    for both in ((ours, broken), (broken, ours), (broken,)):
        with pytest.raises(Unproven, match="does not fit"):
            find_signers(Note(text, both), [SIGNER.key])


@for_each(
    "raw",
    [
        "", "text\n", "text\n\n", VECTOR[:-1], VECTOR + "\n", VECTOR.replace("\n", "\r\n"),
        VECTOR.replace("— ", "- "), VECTOR.replace("log KK", "log  KK"), VECTOR + "more\n",
        VECTOR.replace("KKDH", "KKD"), VECTOR.replace("300", "300\x00"),
        "text\n\n— name AAAAAA==\n",
        VECTOR.replace("WwA=", "WwB="), "x" * 200_000 + VECTOR,
        VECTOR + 64 * "— other AAAAAAA=\n", VECTOR.replace("/log KK", "/l+g KK"),
    ],
)  # fmt: skip
def test_what_is_no_note_is_refused(raw):
    with pytest.raises(Unproven):
        read_note(raw)


@for_each("lines", ["", "\n", "— name AAAAAAA=", "— name AAAAAAA=\n\n", "what\n"])
def test_what_are_no_signatures_is_refused(lines):
    with pytest.raises(Unproven):
        read_signatures(lines)


ROOT = "ICWOPXVmMJfWLizGNrKDgUyA8peTFKEakZ6kfhwRw8Y="


@for_each(
    "text",
    [
        "", "o\n", f"o\n1\n{ROOT}", f"\n1\n{ROOT}\n", f"o\n01\n{ROOT}\n", f"o\n-1\n{ROOT}\n",
        f"o\n1\n{ROOT[:-4]}\n", f"o\n1\n{ROOT}\n\n", f"o\n1 \n{ROOT}\n", f"o\n\n{ROOT}\n",
        f"o\n{1 << 70}\n{ROOT}\n", f"o\n²\n{ROOT}\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text):
    with pytest.raises(Unproven):
        read_checkpoint(text)


def test_more_lines_in_a_checkpoint_say_nothing():
    assert read_checkpoint(f"o\n1\n{ROOT}\nmore\n") == read_checkpoint(f"o\n1\n{ROOT}\n")


@for_each("coded", ["A", "AA", "AA=", "AB==", "AA==\n", " AA==", "AA--", "AA==AA=="])
def test_base64_is_written_one_way(coded):
    with pytest.raises(Unproven):
        read_base64(coded)


@for_each("digits", ["", "00", "01", "+1", "1_0", "1.", "٣", str(1 << 63)])
def test_numbers_are_written_one_way(digits):
    with pytest.raises(Unproven):
        read_number(digits)


@for_each("name", ["", "a b", "a+b", "a\u00a0b", "a\n", "a\x01"])
def test_names_that_no_key_has(name):
    with pytest.raises(Unproven):
        Signer(name, SECRET)
