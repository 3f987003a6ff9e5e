"""The Merkle tree of RFC 6962: hashes, roots, and proofs of inclusion and consistency.

A tree of n leaves is split at the largest power of two below n. What makes a proof reads the tree
through `Nodes`, the hashes of its complete subtrees, so that it need not have all leaves at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from domain.audit.errors import Unproven

HASH_BYTES = 32
EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""
MOST_LEAVES = 1 << 62
"""More than any log has; so that no proof is longer than 63 hashes."""

Nodes = Callable[[int, int], bytes]
"""The hash of the complete subtree of a height, that many from the left: of the leaves from
number · 2^height on. Asked only for subtrees whose leaves are all there.
"""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry as a leaf."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees side by side."""
    return sha256(b"\x01" + left + right).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """The root of the tree of these leaves, or of these equally high complete subtrees."""
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        above = [node_hash(*level[n : n + 2]) for n in range(0, len(level) - 1, 2)]
        level = above + level[2 * len(above) :]  # the last of an odd number goes up as it is
    return level[0]


def root_of(size: int, nodes: Nodes) -> bytes:
    """The root of a tree of so many leaves."""
    return _hash_of(0, size, nodes) if size else EMPTY


def inclusion(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """The proof that the leaf with this index is in the tree of so many leaves, leaf first."""
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
    """The proof that the tree of `old` leaves is the beginning of that of `new` leaves."""
    if not 0 <= old <= new:
        raise ValueError(f"from {old} to {new} leaves")
    proof: list[bytes] = []
    first, known = 0, True  # whether whoever checks knows the hash of the old leaves of this part
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
    """Unproven unless the proof shows that the leaf with this hash and index is in the tree of so
    many leaves whose root is `expected`.
    """
    if not 0 <= index < size <= MOST_LEAVES:
        raise Unproven(f"A tree of {size} leaves has no leaf {index}.")
    if _with_leaf(index, size, leaf, list(proof)) != expected:
        raise Unproven(f"The proof of inclusion does not lead from leaf {index} to the root.")


def check_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Unproven unless the proof shows that the tree of `old` leaves with one root is the beginning
    of the tree of `new` leaves with the other.
    """
    if not 0 <= old <= new <= MOST_LEAVES:
        raise Unproven(f"A tree of {new} leaves does not begin with {old}.")
    if old == 0:
        if proof or old_root != EMPTY:
            raise Unproven("The root of no leaves is another, and needs no proof.")
        return
    left = list(proof)
    if (old_root, new_root) != _both_roots(old, new, left, old_root) or left:
        raise Unproven(f"The tree of {old} leaves is not the beginning of that of {new}.")


def _with_leaf(index: int, size: int, leaf: bytes, proof: list[bytes]) -> bytes:
    """The root that follows from a leaf and a proof."""
    if size == 1:
        if proof:
            raise Unproven("The proof of inclusion is too long.")
        return leaf
    other, half = _last_of(proof), _split(size)
    if index < half:
        return node_hash(_with_leaf(index, half, leaf, proof), other)
    return node_hash(other, _with_leaf(index - half, size - half, leaf, proof))


def _both_roots(old: int, new: int, proof: list[bytes], known: bytes | None) -> tuple[bytes, bytes]:
    """The hashes of the old and of the new leaves of a part of the tree that follow from a proof,
    whose end is taken away; `known` is what the old ones should have, if the part tells none.
    """
    if old == new:
        both = _last_of(proof) if known is None else known
        return both, both
    other, half = _last_of(proof), _split(new)
    if old <= half:
        before, after = _both_roots(old, half, proof, known)
        return before, node_hash(after, other)
    before, after = _both_roots(old - half, new - half, proof, None)
    return node_hash(other, before), node_hash(other, after)


def _last_of(proof: list[bytes]) -> bytes:
    if not proof:
        raise Unproven("The proof is too short.")
    last = proof.pop()
    if len(last) != HASH_BYTES:
        raise Unproven("The proof has something in it that is no hash.")
    return last


def _hash_of(first: int, after: int, nodes: Nodes) -> bytes:
    """The hash of the leaves of a range that is a part of a tree."""
    size = after - first
    if size & (size - 1) == 0:
        height = size.bit_length() - 1
        return nodes(height, first >> height)
    half = _split(size)
    return node_hash(_hash_of(first, first + half, nodes), _hash_of(first + half, after, nodes))


def _split(size: int) -> int:
    """The largest power of two below a size of at least two."""
    return 1 << (size - 1).bit_length() - 1
