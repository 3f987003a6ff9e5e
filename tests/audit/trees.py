"""The tree of RFC 6962 implemented from its definitions, over lists of leaves: an oracle."""

from __future__ import annotations

from hashlib import sha256


def hash_of(leaves):
    """MTH of section 2.1."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    k = split(len(leaves))
    return sha256(b"\1" + hash_of(leaves[:k]) + hash_of(leaves[k:])).digest()


def path(m, leaves):
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), hash_of(leaves[k:])]
    return [*path(m - k, leaves[k:]), hash_of(leaves[:k])]


def proof(m, leaves):
    """PROOF of section 2.1.2."""
    return subproof(m, leaves, True) if m else []


def subproof(m, leaves, whole):
    """SUBPROOF of section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [hash_of(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), hash_of(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), hash_of(leaves[:k])]


def split(n):
    """The largest power of two smaller than n."""
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def entries(size):
    """This many entries, all different."""
    return [f"entry {n}\n".encode() for n in range(size)]


def flip_bit(raw, bit):
    """Return the bytes with one bit flipped."""
    changed = bytearray(raw)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
