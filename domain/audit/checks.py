"""All that can be checked of a bundle, step by step, without anybody's help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from domain.audit.bundle import Bundle
from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, Leaf, OpenLeaf, nonces_hash, read_leaf
from domain.audit.notes import Key, read_checkpoint, read_key, signed_by
from domain.audit.open_commitments import Said, Unopened, entry_of, hidden_in, open_all, read_text
from domain.audit.proofs import Proof, read_proof
from domain.audit.replay_rules import again
from domain.audit.texts import Content, Salts, head_after, text_of
from domain.audit.tree import check_inclusion, leaf_hash
from domain.engine.codecs.binary_codec import pack
from domain.engine.codecs.json_codec import encode
from domain.engine.errors import Refused
from domain.engine.game import Game, parted
from domain.match.decisions import ending
from domain.match.dice import KeyedDice, dice_key, seed_hash
from domain.match.events import Created, DiceFell, MatchEvent, Started
from domain.match.log import Damaged, Entry, fold_match
from domain.match.state import START

_SECRET = re.compile(r"[0-9a-f]{64}")
Outcome = Literal["ok", "wrong", "open"]
"""How a step came out; what is open could not be checked, or not yet."""


_SENSELESS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Step(NamedTuple):
    """A step of the check of a bundle."""

    name: str
    outcome: Outcome
    says: str
    version: int | None = None  # the first that is wrong


class Trust(NamedTuple):
    """Whom the checker believes: keys of logs, and of witnesses, so many of whom must have signed.

    Without a key of a log the one that the bundle tells is taken, which says no more than that the
    bundle agrees with itself.
    """

    logs: tuple[Key, ...] = ()
    witnesses: tuple[Key, ...] = ()
    quorum: int = 0


class _Wrong(Exception):
    """A version that is not as it should be, and why."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version


class _Open(Exception):
    """Why something cannot be checked."""


def check_bundle(games: Mapping[str, Game[Any]], bundle: Bundle, trust: Trust) -> Iterator[Step]:
    """The steps in order; each is taken whatever became of those before it."""
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
        yield _taken(name, step)


def _taken(name: str, step: Callable[[], str]) -> Step:
    try:
        return Step(name, "ok", step())
    except _Open as why:
        return Step(name, "open", str(why))
    except _Wrong as wrong:
        return Step(name, "wrong", f"version {wrong.version}: {wrong}", wrong.version)
    except (Unproven, Damaged) as why:
        return Step(name, "wrong", str(why))
    except (Refused, *_SENSELESS) as error:
        return Step(name, "wrong", f"this makes no sense: {type(error).__name__}: {error}.")


class _Check:
    """A bundle that is being checked; each step returns what it found, or raises why not."""

    def __init__(self, games: Mapping[str, Game[Any]], bundle: Bundle, trust: Trust) -> None:
        self._games, self._bundle, self._trust = games, bundle, trust
        self._heads: list[str] = []

    def chain(self) -> str:
        """Each head is the hash of the one before and of the text."""
        head, said = START, dict[str, Any]()
        for number, line in enumerate(self._bundle.entries, 1):
            said = _read(number, line.text)
            if type(said["version"]) is not int or said["version"] != number:
                raise _Wrong(number, f"an entry with version {said['version']} stands here.")
            head = head_after(head, line.text.encode())
            if line.head != head.hex():
                raise _Wrong(number, "the head does not follow from the text and the head before.")
            self._heads.append(line.head)
        if not self._heads or len(self._heads) != self._bundle.version:
            raise Unproven(f"There are {len(self._heads)} of {self._bundle.version} entries.")
        if self._bundle.head != self._heads[-1]:
            raise Unproven("The head of the bundle is not that of its last entry.")
        self._is_of_this_match(_read(1, self._bundle.entries[0].text))
        return f"{len(self._heads)} entries, head {self._bundle.head}."

    def openings(self) -> str:
        """What was opened is what had been committed to."""
        hidden = opened = 0
        for number, said in self._opened():
            opened += len(self._bundle.entries[number - 1].openings)
            hidden += len(list(hidden_in(said)))
        if hidden and self._bundle.seed is not None:
            raise Unproven(f"{hidden} commitments are not opened, though the seed is revealed.")
        return f"{opened} commitments opened, {hidden} hidden."

    def seed(self) -> str:
        """The seed is the one that was promised, and all salts follow from it."""
        seed, promised = self._revealed(), self._bundle.seed_hash
        if seed_hash(seed) != promised:
            raise _Wrong(1, "the seed is not the one whose hash was published.")
        salts = self._salts()
        for version, line in enumerate(self._bundle.entries, 1):
            for opening in line.openings:
                if opening.salt != salts.of(version, opening.field).hex():
                    why = f"the salt of {opening.field} is another one."
                    raise _Wrong(version, why)
        return f"its hash is {promised}; all salts follow from it."

    def draws(self) -> str:
        """Draws are counted one by one, and every number follows from the seed and the nonces."""
        seed, key, fallen, numbers = self._revealed(), b"", 0, 0
        for (version, said), line in zip(self._opened(), self._bundle.entries, strict=True):
            for started in _events(said, Started):
                key = dice_key(seed, started["nonces"])
            fell = [event["draw"] for event in _events(said, DiceFell)]
            if fell not in ([], [fallen]) or (line.draws and not fell):
                raise _Wrong(version, "draws are not counted one by one.")
            dice = KeyedDice(key, fallen)
            if any(dice.below(sides) != number for sides, number in line.draws):
                raise _Wrong(version, "a number is not the one that fell.")
            fallen, numbers = fallen + len(fell), numbers + len(line.draws)
        return f"{numbers} numbers in {fallen} draws."

    def rules(self) -> str:
        """What the rules and the dice say happened is what is recorded, with these draws."""
        entries, game = self._whole(), self._game()
        for entry, played, line in zip(
            entries, again(self._games, entries), self._bundle.entries, strict=True
        ):
            if played.wrong is not None:
                raise _Wrong(*played.wrong)
            if entry.rules == game.rules and played.draws != list(line.draws):
                raise _Wrong(played.version, "other numbers were needed than those that are told.")
        self._has_the_board(entries[0])
        others = sum(entry.rules != game.rules for entry in entries)
        if others == len(entries):
            raise _Open(f"it was played by rules {entries[0].rules}; here are rules {game.rules}.")
        if others:
            raise _Open(f"{others} of {len(entries)} entries are of other rules; the others fit.")
        return f"{len(entries)} entries followed, every move played again."

    def score(self) -> str:
        """The result that was recorded is that of the game."""
        entries = self._whole()
        scored = next((entry for entry in entries if entry.kind == "Scored"), None)
        if scored is None:
            raise _Open("there is none.")
        match = fold_match(self._games, entries[: scored.version - 1])
        if scored.rules != match.game.rules:
            raise _Open(f"it was scored by rules {scored.rules}.")
        draft = ending.score(match)
        if pack(draft.events) != scored.events:
            raise _Wrong(scored.version, "the result is not the one that the game gives.")
        winners = match.game.scoring(match.state).winners
        return (
            f"it is the one that the game gives (seats that win: {', '.join(map(str, winners))})."
        )

    def inclusion(self) -> str:
        """What the log says of the match is what is in the bundle, and it is in the log."""
        told = []
        for proof in self._proofs():
            leaf = read_leaf(proof.extra)
            self._agrees(leaf)
            checkpoint = read_checkpoint(proof.checkpoint.text)
            hashed = leaf_hash(proof.extra)
            check_inclusion(proof.index, checkpoint.size, hashed, proof.hashes, checkpoint.root)
            told.append(f"leaf {proof.index} of {checkpoint.size} {_words(leaf)}")
        return f"{'; '.join(told)}."

    def note(self) -> str:
        """The checkpoints are signed by the log."""
        keys = self._trust.logs or tuple(map(read_key, self._bundle.keys))
        names = set()
        for proof in self._proofs():
            origin = read_checkpoint(proof.checkpoint.text).origin
            signers = signed_by(proof.checkpoint, [key for key in keys if key.name == origin])
            if not signers:
                raise Unproven(f"The checkpoint of {origin} has no signature by a known key.")
            names.add(origin)
        by = "a key that you trust" if self._trust.logs else "the key that the bundle itself names"
        return f"signed by {', '.join(sorted(names))} with {by}."

    def cosignatures(self) -> str:
        """Enough witnesses have seen the checkpoints."""
        if not self._trust.witnesses:
            raise _Open("no witness was named.")
        found = set()
        for proof in self._proofs():
            signers = {key.name for key in signed_by(proof.checkpoint, self._trust.witnesses)}
            if len(signers) < self._trust.quorum:
                raise Unproven(
                    f"{len(signers)} of {self._trust.quorum} witnesses signed a checkpoint."
                )
            found |= signers
        return f"signed by {', '.join(sorted(found)) or 'none'}."

    def _opened(self) -> Iterator[tuple[int, Said]]:
        """The texts with all facts that are opened in their places."""
        for number, line in enumerate(self._bundle.entries, 1):
            said = _read(number, line.text)
            try:
                open_all(said, line.openings)
            except Unproven as why:
                raise _Wrong(number, str(why)) from why
            yield number, said

    def _entries(self) -> Iterator[tuple[Entry, Content]]:
        for number, said in self._opened():
            try:
                yield entry_of(self._game(), said)
            except Unopened as why:
                raise _Open("not all is opened yet.") from why
            except Unproven as why:
                raise _Wrong(number, str(why)) from why

    def _whole(self) -> Sequence[Entry]:
        """All entries as the service has them, with the seed; each is what its text says."""
        seed, entries = self._revealed(), list[Entry]()
        salts = self._salts()
        for (entry, content), line in zip(self._entries(), self._bundle.entries, strict=True):
            if text_of(salts, entry, content) != line.text.encode():
                raise _Wrong(entry.version, "its text does not follow from what it says.")
            entries.append(entry)
        if not entries:
            raise Unproven("There are no entries.")
        given = self._created().get("seed_index") is None
        secret = b"".join((seed, salts.key if given else b"", *self._nonces()))
        return [msgspec.structs.replace(entries[0], secret=secret), *entries[1:]]

    def _salts(self) -> Salts:
        return Salts(self._bundle.match, _secret(self._bundle.salts or ""))

    def _nonces(self) -> Iterator[bytes]:
        """Those that are open: the service has them from before the start."""
        for _, said in self._opened():
            for started in _events(said, Started):
                yield from (bytes.fromhex(nonce) for nonce in started["nonces"] if nonce)

    def _created(self) -> Said:
        if not self._bundle.entries:
            raise Unproven("There are no entries.")
        events = _read(1, self._bundle.entries[0].text)["events"]
        if not events or events[0].get("type") != Created.__name__:
            raise _Wrong(1, "the first entry does not open a table.")
        return dict(events[0])

    def _is_of_this_match(self, first: Said) -> None:
        created = self._created()
        told = (created.get("match"), created.get("game"), created.get("seed_hash"))
        if told != (self._bundle.match, self._bundle.game, self._bundle.seed_hash):
            raise _Wrong(first["version"], "it is of another match than the bundle says.")

    def _has_the_board(self, first: Entry) -> None:
        """Refuse a board that is not the one that follows from the first entry."""
        match = fold_match(self._games, [first])
        board = parted(match.game, match.game.view(match.blank(), None))[0]
        if encode(board) != encode(self._bundle.board):
            raise _Wrong(1, "the board is not the one of this match.")

    def _agrees(self, leaf: Leaf) -> None:
        """Refuse a leaf that says something else than the chain."""
        if leaf.match != self._bundle.match:
            raise Unproven(f"A leaf is about {leaf.match}.")
        if isinstance(leaf, OpenLeaf):
            if leaf.seed_hash != self._bundle.seed_hash:
                raise Unproven("The log has another hash of the seed.")
            if leaf.nonces != nonces_hash(one["commitment"] for one in self._created()["chairs"]):
                raise Unproven("The log has other nonces of the seats.")
        elif leaf.version > len(self._heads):
            raise Unproven(f"The log has version {leaf.version}, the bundle ends before it.")
        elif self._heads[leaf.version - 1] != leaf.head:
            raise _Wrong(leaf.version, "the log has another head of it.")

    def _proofs(self) -> Sequence[Proof]:
        if not self._bundle.proofs:
            raise _Open("there is no proof in the bundle.")
        return [read_proof(proof) for proof in self._bundle.proofs]

    def _revealed(self) -> bytes:
        """The seed."""
        if self._bundle.seed is None:
            raise _Open("the seed is not revealed yet.")
        return _secret(self._bundle.seed)

    def _game(self) -> Game[Any]:
        if self._bundle.game not in self._games:
            raise _Open(f"the game {self._bundle.game} is not known here.")
        return self._games[self._bundle.game]


def _secret(written: str) -> bytes:
    if not _SECRET.fullmatch(written):
        raise Unproven("A secret has 64 hexadecimal digits.")
    return bytes.fromhex(written)


def _read(number: int, text: str) -> Said:
    try:
        return read_text(text)
    except Unproven as why:
        raise _Wrong(number, str(why)) from why


def _events(said: Said, kind: type[MatchEvent]) -> list[Said]:
    """The events of a kind in a text."""
    return [event for event in said["events"] if event.get("type") == kind.__name__]


def _words(leaf: Leaf) -> str:
    if isinstance(leaf, HeadLeaf):
        return f"has the head of version {leaf.version} ({leaf.state})"
    return "tells that it was opened"
