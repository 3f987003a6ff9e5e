"""All checks of a bundle, in steps that need no other data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from domain.audit.bundle import Bundle
from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, Leaf, OpenLeaf, nonces_hash, read_leaf
from domain.audit.notes import Key, find_signers, read_checkpoint, read_key
from domain.audit.open_commitments import (
    StillHidden,
    TextFields,
    entry_of,
    hidden_fields,
    open_all,
    read_text,
)
from domain.audit.proofs import Proof, read_proof
from domain.audit.replay_rules import replay
from domain.audit.texts import Content, Salts, head_after, text_of
from domain.audit.tree import check_inclusion, leaf_hash
from domain.engine.codecs.binary_codec import pack
from domain.engine.codecs.json_codec import encode
from domain.engine.errors import Refusal
from domain.engine.game import Game, split_view
from domain.match.decisions import ending
from domain.match.dice import KeyedDice, dice_key, seed_hash
from domain.match.events import Created, DiceFell, MatchEvent, Started
from domain.match.log import CorruptEntry, Entry, fold_match
from domain.match.state import GENESIS_HEAD

_SECRET = re.compile(r"[0-9a-f]{64}")
Outcome = Literal["ok", "wrong", "open"]
"""The outcome of a step; "open" if it could not be checked, or not yet."""


_DATA_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class CheckStep(NamedTuple):
    """A step in the check of a bundle."""

    name: str
    outcome: Outcome
    message: str
    version: int | None = None  # the first wrong one


class Trust(NamedTuple):
    """The keys that the checker trusts: those of logs and witnesses; `quorum` witnesses must have
    signed.

    Without a key of a log, the check uses the one in the bundle. It then shows only that the bundle
    is consistent.
    """

    logs: tuple[Key, ...] = ()
    witnesses: tuple[Key, ...] = ()
    quorum: int = 0


class _WrongVersion(Exception):
    """A version is wrong; the message says why."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version


class _NotCheckable(Exception):
    """A step cannot be checked; the message says why."""


def check_bundle(
    games: Mapping[str, Game[Any]], bundle: Bundle, trust: Trust
) -> Iterator[CheckStep]:
    """Run all steps in order; a failed step does not stop the next."""
    check = _Check(games, bundle, trust)
    for name, step in (
        ("chain", check.chain),
        ("openings", check.openings),
        ("seed", check.seed),
        ("draws", check.draws),
        ("rules", check.rules),
        ("score", check.score),
        ("inclusion", check.inclusion),
        ("note", check.note),
        ("cosignatures", check.cosignatures),
    ):
        yield _run_step(name, step)


def _run_step(name: str, step: Callable[[], str]) -> CheckStep:
    try:
        return CheckStep(name, "ok", step())
    except _NotCheckable as reason:
        return CheckStep(name, "open", str(reason))
    except _WrongVersion as wrong:
        return CheckStep(name, "wrong", f"version {wrong.version}: {wrong}", wrong.version)
    except (Unproven, CorruptEntry) as reason:
        return CheckStep(name, "wrong", str(reason))
    except (Refusal, *_DATA_ERRORS) as error:
        return CheckStep(name, "wrong", f"this is invalid: {type(error).__name__}: {error}.")


class _Check:
    """The check of a bundle. Each step returns what it found, or raises."""

    def __init__(self, games: Mapping[str, Game[Any]], bundle: Bundle, trust: Trust) -> None:
        self._games, self._bundle, self._trust = games, bundle, trust
        self._heads: list[str] = []

    def chain(self) -> str:
        """Check that each head is the hash of the previous head and the text."""
        head, fields = GENESIS_HEAD, dict[str, Any]()
        for number, line in enumerate(self._bundle.entries, 1):
            fields = _read_entry_text(number, line.text)
            if type(fields["version"]) is not int or fields["version"] != number:
                raise _WrongVersion(number, f"this entry has version {fields['version']}.")
            head = head_after(head, line.text.encode())
            if line.head != head.hex():
                raise _WrongVersion(
                    number, "the head does not follow from its text and the previous head."
                )
            self._heads.append(line.head)
        if not self._heads or len(self._heads) != self._bundle.version:
            raise Unproven(f"There are {len(self._heads)} of {self._bundle.version} entries.")
        if self._bundle.head != self._heads[-1]:
            raise Unproven("The head of the bundle is not that of its last entry.")
        self._check_match(_read_entry_text(1, self._bundle.entries[0].text))
        return f"{len(self._heads)} entries, head {self._bundle.head}."

    def openings(self) -> str:
        """Check that each opening fits its commitment."""
        hidden = opened = 0
        for number, fields in self._texts_with_openings():
            opened += len(self._bundle.entries[number - 1].openings)
            hidden += len(list(hidden_fields(fields)))
        if hidden and self._bundle.seed is not None:
            raise Unproven(f"{hidden} commitments are not opened, though the seed is revealed.")
        return f"{opened} commitments opened, {hidden} hidden."

    def seed(self) -> str:
        """Check that the seed fits its hash, and that all salts follow from it."""
        seed, promised = self._require_seed(), self._bundle.seed_hash
        if seed_hash(seed) != promised:
            raise _WrongVersion(1, "the seed does not match its published hash.")
        salts = self._salts()
        for version, line in enumerate(self._bundle.entries, 1):
            for opening in line.openings:
                if opening.salt != salts.salt(version, opening.field).hex():
                    reason = f"the salt of {opening.field} does not follow from the key."
                    raise _WrongVersion(version, reason)
        return f"its hash is {promised}; all salts follow from it."

    def draws(self) -> str:
        """Check that draws are numbered without gaps, and that all numbers follow from seed and
        nonces.
        """
        seed, key, draw_count, numbers = self._require_seed(), b"", 0, 0
        for (version, fields), line in zip(
            self._texts_with_openings(), self._bundle.entries, strict=True
        ):
            for started in _events(fields, Started):
                key = dice_key(seed, started["nonces"])
            new_draws = [event["draw"] for event in _events(fields, DiceFell)]
            if new_draws not in ([], [draw_count]) or (line.draws and not new_draws):
                raise _WrongVersion(version, "the draws are not numbered without gaps.")
            dice = KeyedDice(key, draw_count)
            if any(dice.below(sides) != number for sides, number in line.draws):
                raise _WrongVersion(version, "a number of the dice is wrong.")
            draw_count, numbers = draw_count + len(new_draws), numbers + len(line.draws)
        return f"{numbers} numbers in {draw_count} draws."

    def rules(self) -> str:
        """Check that the rules and the dice give the recorded events and draws."""
        entries, game = self._full_entries(), self._game()
        for entry, played, line in zip(
            entries, replay(self._games, entries), self._bundle.entries, strict=True
        ):
            if played.mismatch is not None:
                raise _WrongVersion(*played.mismatch)
            if entry.rules == game.rules and played.draws != list(line.draws):
                raise _WrongVersion(
                    played.version, "the recorded numbers are not those that the rules drew."
                )
        self._check_board(entries[0])
        others = sum(entry.rules != game.rules for entry in entries)
        if others == len(entries):
            raise _NotCheckable(
                f"it was played by version {entries[0].rules} of the rules;"
                f" this program has version {game.rules}."
            )
        if others:
            raise _NotCheckable(
                f"{others} of {len(entries)} entries have another version of the rules;"
                " the others fit."
            )
        return f"{len(entries)} entries followed, every move played again."

    def score(self) -> str:
        """Check that the game gives the recorded result."""
        entries = self._full_entries()
        scored = next((entry for entry in entries if entry.kind == "Scored"), None)
        if scored is None:
            raise _NotCheckable("the match is not scored.")
        match = fold_match(self._games, entries[: scored.version - 1])
        if scored.rules != match.game.rules:
            raise _NotCheckable(f"it was scored by version {scored.rules} of the rules.")
        draft = ending.score(match)
        if pack(draft.events) != scored.events:
            raise _WrongVersion(scored.version, "the result differs from that of the game.")
        winners = match.game.scoring(match.state).winners
        return f"it agrees with the game (winning seats: {', '.join(map(str, winners))})."

    def inclusion(self) -> str:
        """Check that the log contains the leaves of the match, and that the bundle agrees with
        them.
        """
        results = []
        for proof in self._proofs():
            leaf = read_leaf(proof.extra)
            self._check_leaf(leaf)
            checkpoint = read_checkpoint(proof.checkpoint.text)
            hashed = leaf_hash(proof.extra)
            check_inclusion(proof.index, checkpoint.size, hashed, proof.hashes, checkpoint.root)
            results.append(f"leaf {proof.index} of {checkpoint.size} {_describe_leaf(leaf)}")
        return f"{'; '.join(results)}."

    def note(self) -> str:
        """Check that the log has signed the checkpoints."""
        keys = self._trust.logs or tuple(map(read_key, self._bundle.keys))
        names = set()
        for proof in self._proofs():
            origin = read_checkpoint(proof.checkpoint.text).origin
            signers = find_signers(proof.checkpoint, [key for key in keys if key.name == origin])
            if not signers:
                raise Unproven(f"The checkpoint of {origin} has no signature by a known key.")
            names.add(origin)
        by = "a key that you trust" if self._trust.logs else "the key that the bundle itself names"
        return f"signed by {', '.join(sorted(names))} with {by}."

    def cosignatures(self) -> str:
        """Check that enough witnesses have signed the checkpoints."""
        if not self._trust.witnesses:
            raise _NotCheckable("you named no witness.")
        found = set()
        for proof in self._proofs():
            signers = {key.name for key in find_signers(proof.checkpoint, self._trust.witnesses)}
            if len(signers) < self._trust.quorum:
                raise Unproven(
                    f"{len(signers)} of {self._trust.quorum} witnesses signed a checkpoint."
                )
            found |= signers
        return f"signed by {', '.join(sorted(found)) or 'none'}."

    def _texts_with_openings(self) -> Iterator[tuple[int, TextFields]]:
        """The texts, with all opened facts in place of their commitments."""
        for number, line in enumerate(self._bundle.entries, 1):
            fields = _read_entry_text(number, line.text)
            try:
                open_all(fields, line.openings)
            except Unproven as reason:
                raise _WrongVersion(number, str(reason)) from reason
            yield number, fields

    def _entries(self) -> Iterator[tuple[Entry, Content]]:
        for number, fields in self._texts_with_openings():
            try:
                yield entry_of(self._game(), fields)
            except StillHidden as reason:
                raise _NotCheckable("some commitments are not opened yet.") from reason
            except Unproven as reason:
                raise _WrongVersion(number, str(reason)) from reason

    def _full_entries(self) -> Sequence[Entry]:
        """All entries as the service has them, with the seed. Each must give its text again."""
        seed, entries = self._require_seed(), list[Entry]()
        salts = self._salts()
        for (entry, content), line in zip(self._entries(), self._bundle.entries, strict=True):
            if text_of(salts, entry, content) != line.text.encode():
                raise _WrongVersion(entry.version, "its text does not follow from its content.")
            entries.append(entry)
        if not entries:
            raise Unproven("There are no entries.")
        host_seed = self._creation_event().get("seed_index") is None
        secret = b"".join((seed, salts.key if host_seed else b"", *self._nonces()))
        return [msgspec.structs.replace(entries[0], secret=secret), *entries[1:]]

    def _salts(self) -> Salts:
        return Salts(self._bundle.match, _parse_secret(self._bundle.salts or ""))

    def _nonces(self) -> Iterator[bytes]:
        """The open nonces; the service stores them in entries before the start."""
        for _, fields in self._texts_with_openings():
            for started in _events(fields, Started):
                yield from (bytes.fromhex(nonce) for nonce in started["nonces"] if nonce)

    def _creation_event(self) -> TextFields:
        if not self._bundle.entries:
            raise Unproven("There are no entries.")
        events = _read_entry_text(1, self._bundle.entries[0].text)["events"]
        if not events or events[0].get("type") != Created.__name__:
            raise _WrongVersion(1, "the first entry does not open a table.")
        return dict(events[0])

    def _check_match(self, first: TextFields) -> None:
        created = self._creation_event()
        stated = (created.get("match"), created.get("game"), created.get("seed_hash"))
        if stated != (self._bundle.match, self._bundle.game, self._bundle.seed_hash):
            raise _WrongVersion(
                first["version"], "it belongs to another match than the bundle says."
            )

    def _check_board(self, first: Entry) -> None:
        """Raise unless the board follows from the first entry."""
        match = fold_match(self._games, [first])
        board = split_view(match.game, match.game.view(match.blank_state(), None))[0]
        if encode(board) != encode(self._bundle.board):
            raise _WrongVersion(1, "the board does not belong to this match.")

    def _check_leaf(self, leaf: Leaf) -> None:
        """Raise unless a leaf agrees with the chain."""
        if leaf.match != self._bundle.match:
            raise Unproven(f"A leaf belongs to the match {leaf.match}.")
        if isinstance(leaf, OpenLeaf):
            if leaf.seed_hash != self._bundle.seed_hash:
                raise Unproven("The log has a different hash of the seed.")
            if leaf.nonces != nonces_hash(
                one["commitment"] for one in self._creation_event()["chairs"]
            ):
                raise Unproven("The log has different nonce commitments.")
        elif leaf.version > len(self._heads):
            raise Unproven(f"The log has version {leaf.version}, but the bundle ends before it.")
        elif self._heads[leaf.version - 1] != leaf.head:
            raise _WrongVersion(leaf.version, "the log has a different head.")

    def _proofs(self) -> Sequence[Proof]:
        if not self._bundle.proofs:
            raise _NotCheckable("there is no proof in the bundle.")
        return [read_proof(proof) for proof in self._bundle.proofs]

    def _require_seed(self) -> bytes:
        """The seed; raises if it is not revealed."""
        if self._bundle.seed is None:
            raise _NotCheckable("the seed is not revealed yet.")
        return _parse_secret(self._bundle.seed)

    def _game(self) -> Game[Any]:
        if self._bundle.game not in self._games:
            raise _NotCheckable(f"this program does not know the game {self._bundle.game}.")
        return self._games[self._bundle.game]


def _parse_secret(written: str) -> bytes:
    if not _SECRET.fullmatch(written):
        raise Unproven("A secret has 64 hexadecimal digits.")
    return bytes.fromhex(written)


def _read_entry_text(number: int, text: str) -> TextFields:
    try:
        return read_text(text)
    except Unproven as reason:
        raise _WrongVersion(number, str(reason)) from reason


def _events(fields: TextFields, kind: type[MatchEvent]) -> list[TextFields]:
    """The events of a class in a text."""
    return [event for event in fields["events"] if event.get("type") == kind.__name__]


def _describe_leaf(leaf: Leaf) -> str:
    if isinstance(leaf, HeadLeaf):
        return f"has the head of version {leaf.version} ({leaf.state})"
    return "says that it was opened"
