"""The texts of the leaves: written, read back, and distinct from any other text."""

from __future__ import annotations

from hashlib import sha256

import pytest

from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, OpenLeaf, nonces_hash, read_leaf
from tests.support.for_each import for_each

HEX = "0f" * 32
OPEN = f"annals/v1\nopen\nmatch m1\nseed_hash {HEX}\nnonces {HEX}\n"
HEAD = f"annals/v1\nhead\nmatch m1-2\nversion 17\nhead {HEX}\nstate ended\n"


@pytest.mark.parametrize(
    ("leaf", "text"),
    [(OpenLeaf("m1", HEX, HEX), OPEN), (HeadLeaf("m1-2", 17, HEX, "ended"), HEAD)],
)
def test_a_leaf_is_a_text(leaf, text):
    assert leaf.entry.decode() == text
    assert read_leaf(text.encode()) == leaf


@for_each(
    "text",
    [
        "", OPEN[:-1], OPEN + "\n", OPEN + HEAD, OPEN.replace("v1", "v2"),
        OPEN.replace("m1", "m 1"), OPEN.replace("m1", ""), OPEN.replace("0f", "0F"),
        HEAD.replace("17", "0"), HEAD.replace("17", "017"),
        HEAD.replace("17", "\u0661"), HEAD.replace("ended", "over"), HEAD.replace("0f", "0", 1),
        HEAD.replace("head", "open", 1), OPEN.replace("\n", "\r\n"),
    ],
)  # fmt: skip
def test_nothing_else_is_one(text):
    with pytest.raises(Unproven):
        read_leaf(text.encode())


def test_the_hash_over_nonces_has_a_place_for_each_seat():
    assert nonces_hash([HEX, None]) == sha256(bytes.fromhex(HEX) + bytes(32)).hexdigest()
    assert nonces_hash([]) == sha256(b"").hexdigest()
    assert nonces_hash([None, HEX]) != nonces_hash([HEX, None]) != nonces_hash([HEX])
