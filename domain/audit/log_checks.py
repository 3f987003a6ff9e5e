"""What a bundle proves about the log: that it contains the match, and who has signed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.audit.bundle import Bundle
from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, Leaf, OpenLeaf, nonces_hash, read_leaf
from domain.audit.notes import Key, find_signers, read_checkpoint, read_key
from domain.audit.proofs import Proof, read_proof
from domain.audit.steps import NotCheckable, WrongVersion, creation_event, find_end
from domain.audit.tree import check_inclusion, leaf_hash


class Trust(NamedTuple):
    """The keys that the checker trusts: those of logs and witnesses; `quorum` witnesses must have
    signed.

    Without a key of a log, the check uses the one in the bundle. It then shows only that the bundle
    is consistent.
    """

    logs: tuple[Key, ...] = ()
    witnesses: tuple[Key, ...] = ()
    quorum: int = 0


class LogCheck:
    """The steps about the log. Each returns what it found, or raises."""

    def __init__(self, bundle: Bundle, trust: Trust) -> None:
        self._bundle, self._trust = bundle, trust

    def inclusion(self) -> str:
        """Check that the log contains the opening of the match and its end, or a head of a match
        that goes on, and that the bundle agrees with them.
        """
        results, leaves = [], list[Leaf]()
        for proof in self._proofs():
            leaf = read_leaf(proof.extra)
            self._check_leaf(leaf)
            checkpoint = read_checkpoint(proof.checkpoint.text)
            hashed = leaf_hash(proof.extra)
            check_inclusion(proof.index, checkpoint.size, hashed, proof.hashes, checkpoint.root)
            results.append(f"leaf {proof.index} of {checkpoint.size} {_describe_leaf(leaf)}")
            leaves.append(leaf)
        self._check_completeness(leaves)
        return f"{'; '.join(results)}."

    def note(self) -> str:
        """Check that the log has signed the checkpoints."""
        keys = self._log_keys()
        names = set()
        for proof in self._proofs():
            origin = read_checkpoint(proof.checkpoint.text).origin
            signers = find_signers(proof.checkpoint, [key for key in keys if key.name == origin])
            if not signers:
                raise Unproven(f"The checkpoint of {origin} has no signature by a known key.")
            names.add(origin)
        _require_distinct(self._bundle.keys)
        by = "a key that you trust" if self._trust.logs else "the key that the bundle itself names"
        return f"signed by {', '.join(sorted(names))} with {by}."

    def cosignatures(self) -> str:
        """Check that enough witnesses have signed the checkpoints."""
        logs = {key.public: key.name for key in self._log_keys()}
        for witness in self._trust.witnesses:
            if name := logs.get(witness.public):
                raise Unproven(f"{witness.name} has the key of the log {name}, so is no witness.")
        found = set()
        for proof in self._proofs():
            signers = {key.name for key in find_signers(proof.checkpoint, self._trust.witnesses)}
            if len(signers) < self._trust.quorum:
                raise Unproven(
                    f"{len(signers)} of {self._trust.quorum} witnesses signed a checkpoint."
                )
            found |= signers
        return f"signed by {', '.join(sorted(found)) or 'none'}."

    def _check_leaf(self, leaf: Leaf) -> None:
        """Raise unless a leaf agrees with the chain."""
        if leaf.match != self._bundle.match:
            raise Unproven(f"A leaf belongs to the match {leaf.match}.")
        if isinstance(leaf, OpenLeaf):
            if leaf.seed_hash != self._bundle.seed_hash:
                raise Unproven("The log has a different hash of the seed.")
            if leaf.nonces != nonces_hash(
                one["commitment"] for one in creation_event(self._bundle)["chairs"]
            ):
                raise Unproven("The log has different nonce commitments.")
        elif leaf.version > len(self._bundle.entries):
            raise Unproven(f"The log has version {leaf.version}, but the bundle ends before it.")
        elif self._bundle.entries[leaf.version - 1].head != leaf.head:
            raise WrongVersion(leaf.version, "the log has a different head.")

    def _check_completeness(self, leaves: Sequence[Leaf]) -> None:
        """Raise unless the leaves show the opening, and the end if the match is over."""
        if not any(isinstance(leaf, OpenLeaf) for leaf in leaves):
            raise NotCheckable("the opening of the match is not shown to be in the log.")
        newest = max((leaf.version for leaf in leaves if isinstance(leaf, HeadLeaf)), default=0)
        if not newest:
            raise NotCheckable("no head of the match is shown to be in the log.")
        _require_distinct(self._bundle.proofs)
        end = find_end(self._bundle)
        if end and newest < end.version:
            raise NotCheckable(
                f"the log is shown to have version {newest}, but the match ended with version"
                f" {end.version}."
            )

    def _log_keys(self) -> Sequence[Key]:
        return self._trust.logs or tuple(map(read_key, self._bundle.keys))

    def _proofs(self) -> Sequence[Proof]:
        if not self._bundle.proofs:
            raise NotCheckable("there is no proof in the bundle.")
        return [read_proof(proof) for proof in self._bundle.proofs]


def _require_distinct(lines: Sequence[str]) -> None:
    if len({*lines}) < len(lines):
        raise NotCheckable("a proof or a key is in the bundle twice.")


def _describe_leaf(leaf: Leaf) -> str:
    if isinstance(leaf, HeadLeaf):
        return f"has the head of version {leaf.version} ({leaf.state})"
    return "says that it was opened"
