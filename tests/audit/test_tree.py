"""Roots and proofs, against the definitions of RFC 6962."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.errors import Unproven
from domain.audit.tree import (
    EMPTY_ROOT,
    check_consistency,
    check_inclusion,
    consistency,
    inclusion,
    leaf_hash,
    root,
    root_of,
)
from tests.audit import trees
from tests.support.for_each import for_each

MAX_SIZE = 70
ALL = trees.entries(MAX_SIZE)
SIZES = st.integers(1, MAX_SIZE)


def nodes(height, number):
    """The nodes of the tree of all leaves."""
    return trees.hash_of(ALL[number << height : number + 1 << height])


def test_the_root_is_that_of_the_definition():
    for size in range(MAX_SIZE + 1):
        leaves = [leaf_hash(entry) for entry in ALL[:size]]
        assert root(leaves) == root_of(size, nodes) == trees.hash_of(ALL[:size]), size


@for_each("size", [1, 2, 3, 7, 8, 13, 33, 64, 70])
def test_every_leaf_has_the_proof_of_the_definition_and_it_is_believed(size):
    for index in range(size):
        proof = inclusion(index, size, nodes)
        assert proof == trees.path(index, ALL[:size])
        check_inclusion(index, size, leaf_hash(ALL[index]), proof, trees.hash_of(ALL[:size]))


@for_each("new", [0, 1, 2, 3, 7, 8, 13, 33, 64, 70])
def test_every_smaller_tree_has_the_proof_of_the_definition_and_it_is_believed(new):
    for old in range(new + 1):
        proof = consistency(old, new, nodes)
        assert proof == trees.proof(old, ALL[:new])
        check_consistency(old, trees.hash_of(ALL[:old]), new, trees.hash_of(ALL[:new]), proof)


@given(SIZES, st.data())
def test_a_bit_that_flipped_in_a_proof_of_inclusion_is_found(size, data):
    index = data.draw(st.integers(0, size - 1))
    leaf, proof = leaf_hash(ALL[index]), inclusion(index, size, nodes)
    parts = [leaf, trees.hash_of(ALL[:size]), *proof]
    which = data.draw(st.integers(0, len(parts) - 1))
    parts[which] = trees.flip_bit(parts[which], data.draw(st.integers(0, 255)))
    leaf, top, *proof = parts
    with pytest.raises(Unproven):
        check_inclusion(index, size, leaf, proof, top)


@given(SIZES, st.data())
def test_a_leaf_is_believed_nowhere_else(size, data):
    index, other = (data.draw(st.integers(0, size - 1)) for _ in range(2))
    proof = inclusion(index, size, nodes)
    if other != index:
        with pytest.raises(Unproven):
            check_inclusion(other, size, leaf_hash(ALL[index]), proof, trees.hash_of(ALL[:size]))


@given(SIZES, st.data())
def test_a_bit_that_flipped_in_a_proof_of_consistency_is_found(new, data):
    old = data.draw(st.integers(1, new))
    parts = [trees.hash_of(ALL[:old]), trees.hash_of(ALL[:new]), *consistency(old, new, nodes)]
    which = data.draw(st.integers(0, len(parts) - 1))
    parts[which] = trees.flip_bit(parts[which], data.draw(st.integers(0, 255)))
    before, after, *proof = parts
    with pytest.raises(Unproven):
        check_consistency(old, before, new, after, proof)


@given(SIZES, st.data())
def test_proofs_that_are_shorter_or_longer_are_refused(size, data):
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    top, before = trees.hash_of(ALL[:size]), trees.hash_of(ALL[:old])
    there, same = inclusion(index, size, nodes), consistency(old, size, nodes)
    for changed in (
        there[1:],
        there[:-1],
        [*there, EMPTY_ROOT],
        [EMPTY_ROOT, *there],
        [*there[:-1], b"no"],
    ):
        if changed != there:
            with pytest.raises(Unproven):
                check_inclusion(index, size, leaf_hash(ALL[index]), changed, top)
    for changed in (same[1:], same[:-1], [*same, EMPTY_ROOT], [EMPTY_ROOT, *same]):
        if changed != same:
            with pytest.raises(Unproven):
                check_consistency(old, before, size, top, changed)


def test_another_history_of_the_same_size_is_not_consistent():
    other = [*ALL[:20], b"something else", *ALL[21:]]
    top = trees.hash_of(other)
    with pytest.raises(Unproven):
        check_consistency(MAX_SIZE, trees.hash_of(ALL), MAX_SIZE, top, [])
    with pytest.raises(Unproven):
        check_consistency(30, trees.hash_of(ALL[:30]), MAX_SIZE, top, trees.proof(30, other))


@for_each(("index", "size"), [(1, 1), (-1, 1), (0, 0), (0, 1 << 70)])
def test_a_leaf_that_no_tree_has_is_refused(index, size):
    with pytest.raises(Unproven, match="no leaf"):
        check_inclusion(index, size, EMPTY_ROOT, [], EMPTY_ROOT)


def test_a_tree_does_not_shrink():
    with pytest.raises(Unproven, match="does not begin"):
        check_consistency(2, trees.hash_of(ALL[:2]), 1, trees.hash_of(ALL[:1]), [])


def test_only_the_empty_tree_is_a_prefix_of_every_tree():
    top = trees.hash_of(ALL)
    check_consistency(0, EMPTY_ROOT, MAX_SIZE, top, [])
    for before, proof in ((top, []), (EMPTY_ROOT, [top])):
        with pytest.raises(Unproven):
            check_consistency(0, before, MAX_SIZE, top, proof)


def test_proofs_are_made_only_of_what_is_there():
    with pytest.raises(ValueError, match="leaf 3 of 3"):
        inclusion(3, 3, nodes)
    with pytest.raises(ValueError, match="from 4 to 3"):
        consistency(4, 3, nodes)
