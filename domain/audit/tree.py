"""The Merkle tree of RFC 6962: hashes, roots, and proofs of inclusion and consistency.

A tree of n leaves is split at the largest power of two below n. Proofs read the tree through
`Nodes`, the hashes of its complete subtrees, so they do not need all leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from domain.audit.errors import Unproven

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves."""
MAX_LEAVES = 1 << 62
"""Maximum number of leaves; it limits proofs to 63 hashes."""

Nodes = Callable[[int, int], bytes]
"""The hash of a complete subtree, from its height and its number from the left: it covers the
leaves from number · 2^height on. Called only for subtrees whose leaves all exist.
"""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry as a leaf."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two adjacent subtrees."""
    return sha256(b"\x01" + left + right).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """The root of a tree with these leaves, or with these complete subtrees of equal height."""
    if not hashes:
        return EMPTY_ROOT
    level = list(hashes)
    while len(level) > 1:
        above = [node_hash(*level[n : n + 2]) for n in range(0, len(level) - 1, 2)]
        level = above + level[2 * len(above) :]  # a single last node moves up unchanged
    return level[0]


def root_of(size: int, nodes: Nodes) -> bytes:
    """The root of a tree with `size` leaves."""
    return _hash_of(0, size, nodes) if size else EMPTY_ROOT


def inclusion(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """The proof that the leaf with this index is in a tree of `size` leaves, leaf first."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} of {size}")
    proof, first = [], 0
    while size > 1:
        half = _split(size)
        if index < half:
            proof.append(_hash_of(first + half, first + size, nodes))
            size = half
        else:
            proof.append(_hash_of(first, first + half, nodes))
            first, index, size = first + half, index - half, size - half
    return proof[::-1]


def consistency(old: int, new: int, nodes: Nodes) -> list[bytes]:
    """The proof that the tree of `old` leaves is a prefix of the tree of `new` leaves."""
    if not 0 <= old <= new:
        raise ValueError(f"from {old} to {new} leaves")
    proof: list[bytes] = []
    first, known = 0, True  # whether the checker knows the hash of the old leaves here
    while 0 < old < new:
        half = _split(new)
        if old <= half:
            proof.append(_hash_of(first + half, first + new, nodes))
            new = half
        else:
            proof.append(_hash_of(first, first + half, nodes))
            first, old, new, known = first + half, old - half, new - half, False
    if not known:
        proof.append(_hash_of(first, first + new, nodes))
    return proof[::-1]


def check_inclusion(
    index: int, size: int, leaf: bytes, proof: Sequence[bytes], expected: bytes
) -> None:
    """Raise Unproven unless the proof shows that the leaf with this hash and index is in the tree
    of `size` leaves with the root `expected`.
    """
    if not 0 <= index < size <= MAX_LEAVES:
        raise Unproven(f"A tree of {size} leaves has no leaf {index}.")
    if _with_leaf(index, size, leaf, list(proof)) != expected:
        raise Unproven(f"The proof of inclusion does not lead from leaf {index} to the root.")


def check_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Raise Unproven unless the proof shows that the old tree is a prefix of the new one."""
    if not 0 <= old <= new <= MAX_LEAVES:
        raise Unproven(f"A tree of {new} leaves does not begin with {old}.")
    if old == 0:
        if proof or old_root != EMPTY_ROOT:
            raise Unproven("The root of no leaves is another, and needs no proof.")
        return
    left = list(proof)
    if (old_root, new_root) != _both_roots(old, new, left, old_root) or left:
        raise Unproven(f"The tree of {old} leaves is not the beginning of that of {new}.")


def _with_leaf(index: int, size: int, leaf: bytes, proof: list[bytes]) -> bytes:
    """The root that a leaf and a proof lead to."""
    if size == 1:
        if proof:
            raise Unproven("The proof of inclusion is too long.")
        return leaf
    other, half = _pop_hash(proof), _split(size)
    if index < half:
        return node_hash(_with_leaf(index, half, leaf, proof), other)
    return node_hash(other, _with_leaf(index - half, size - half, leaf, proof))


def _both_roots(old: int, new: int, proof: list[bytes], known: bytes | None) -> tuple[bytes, bytes]:
    """The hashes of the old and the new leaves in a part of the tree. Consumes the end of the
    proof.

    `known` is the expected hash of the old leaves, if the proof does not contain it.
    """
    if old == new:
        both = _pop_hash(proof) if known is None else known
        return both, both
    other, half = _pop_hash(proof), _split(new)
    if old <= half:
        before, after = _both_roots(old, half, proof, known)
        return before, node_hash(after, other)
    before, after = _both_roots(old - half, new - half, proof, None)
    return node_hash(other, before), node_hash(other, after)


def _pop_hash(proof: list[bytes]) -> bytes:
    if not proof:
        raise Unproven("The proof is too short.")
    last = proof.pop()
    if len(last) != HASH_BYTES:
        raise Unproven("The proof has something in it that is no hash.")
    return last


def _hash_of(first: int, after: int, nodes: Nodes) -> bytes:
    """The hash of the leaves of a subtree."""
    size = after - first
    if size & (size - 1) == 0:
        height = size.bit_length() - 1
        return nodes(height, first >> height)
    half = _split(size)
    return node_hash(_hash_of(first, first + half, nodes), _hash_of(first + half, after, nodes))


def _split(size: int) -> int:
    """The largest power of two below a size of at least two."""
    return 1 << (size - 1).bit_length() - 1
