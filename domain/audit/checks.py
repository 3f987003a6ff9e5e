"""All checks of a bundle, in steps that need no other data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.audit.bundle import Bundle
from domain.audit.errors import Unproven
from domain.audit.log_checks import LogCheck, Trust
from domain.audit.open_commitments import (
    StillHidden,
    TextFields,
    entry_of,
    hidden_fields,
    open_all,
    owner_of,
)
from domain.audit.replay_rules import replay
from domain.audit.steps import (
    CheckStep,
    NotCheckable,
    WrongVersion,
    creation_event,
    events_of,
    find_end,
    read_entry_text,
    run_step,
)
from domain.audit.texts import Content, Salts, head_after, text_of
from domain.engine.codecs.binary_codec import pack
from domain.engine.codecs.json_codec import encode
from domain.engine.game import Game, split_view
from domain.match.decisions import ending
from domain.match.dice import KeyedDice, dice_key, seed_hash
from domain.match.events import DiceFell, Started
from domain.match.log import Entry, fold_match
from domain.match.state import GENESIS_HEAD

_SECRET = re.compile(r"[0-9a-f]{64}")


def check_bundle(
    games: Mapping[str, Game[Any]], bundle: Bundle, trust: Trust
) -> Iterator[CheckStep]:
    """Run all steps in order; a failed step does not stop the next. Cosignatures are checked if the
    checker trusts a witness.
    """
    check, log = _Check(games, bundle), LogCheck(bundle, trust)
    for name, step in (
        ("chain", check.chain),
        ("openings", check.openings),
        ("seed", check.seed),
        ("draws", check.draws),
        ("rules", check.rules),
        ("score", check.score),
        ("inclusion", log.inclusion),
        ("note", log.note),
        *((("cosignatures", log.cosignatures),) if trust.witnesses else ()),
    ):
        yield run_step(name, step)


class _Check:
    """The check of a bundle. Each step returns what it found, or raises."""

    def __init__(self, games: Mapping[str, Game[Any]], bundle: Bundle) -> None:
        self._games, self._bundle = games, bundle

    def chain(self) -> str:
        """Check that each head is the hash of the previous head and the text."""
        head, fields = GENESIS_HEAD, dict[str, Any]()
        for number, line in enumerate(self._bundle.entries, 1):
            fields = read_entry_text(number, line.text)
            if type(fields["version"]) is not int or fields["version"] != number:
                raise WrongVersion(number, f"this entry has version {fields['version']}.")
            head = head_after(head, line.text.encode())
            if line.head != head.hex():
                raise WrongVersion(
                    number, "the head does not follow from its text and the previous head."
                )
        count = len(self._bundle.entries)
        if not count or count != self._bundle.version:
            raise Unproven(f"There are {count} of {self._bundle.version} entries.")
        if self._bundle.head != self._bundle.entries[-1].head:
            raise Unproven("The head of the bundle is not that of its last entry.")
        self._check_match(read_entry_text(1, self._bundle.entries[0].text))
        return f"{count} entries, head {self._bundle.head}."

    def openings(self) -> str:
        """Check that each opening fits its commitment."""
        hidden = opened = 0
        for number, fields in self._texts_with_openings():
            opened += len(self._bundle.entries[number - 1].openings)
            hidden += len(list(hidden_fields(fields)))
        if hidden and self._revealed_seed() is not None:
            raise Unproven(f"{hidden} commitments are not opened, though the seed is revealed.")
        self._check_viewer(hidden)
        return f"{opened} commitments opened, {hidden} hidden."

    def seed(self) -> str:
        """Check that the seed fits its hash, and that all salts follow from it."""
        revealed = find_end(self._bundle)
        if revealed and self._bundle.seed != revealed.seed:
            reason = "it reveals the seed, but the bundle has another one or none."
            raise WrongVersion(revealed.version, reason)
        seed, promised = self._require_seed(), self._bundle.seed_hash
        if seed_hash(seed) != promised:
            raise WrongVersion(1, "the seed does not match its published hash.")
        salts = self._salts()
        for version, line in enumerate(self._bundle.entries, 1):
            for opening in line.openings:
                if opening.salt != salts.salt(version, opening.field).hex():
                    reason = f"the salt of {opening.field} does not follow from the key."
                    raise WrongVersion(version, reason)
        return f"its hash is {promised}; all salts follow from it."

    def draws(self) -> str:
        """Check that draws are numbered without gaps, and that all numbers follow from seed and
        nonces. A bundle has the numbers of those draws that its version of the rules made.
        """
        seed, key, draw_count, numbers = self._require_seed(), b"", 0, 0
        for (version, fields), line in zip(
            self._texts_with_openings(), self._bundle.entries, strict=True
        ):
            for started in events_of(fields, Started):
                key = dice_key(seed, started["nonces"])
            new_draws = [event["draw"] for event in events_of(fields, DiceFell)]
            if new_draws not in ([], [draw_count]):
                raise WrongVersion(version, "the draws are not numbered without gaps.")
            if fields["rules"] > self._bundle.rules:
                reason = (
                    f"its rules, version {fields['rules']}, are newer than those of the bundle."
                )
                raise WrongVersion(version, reason)
            if bool(line.draws) != (bool(new_draws) and fields["rules"] == self._bundle.rules):
                raise WrongVersion(version, "a draw has no numbers, or numbers have no draw.")
            dice = KeyedDice(key, draw_count)
            if any(dice.below(sides) != number for sides, number in line.draws):
                raise WrongVersion(version, "a number of the dice is wrong.")
            draw_count, numbers = draw_count + len(new_draws), numbers + len(line.draws)
        last = read_entry_text(self._bundle.version, self._bundle.entries[-1].text)["rules"]
        if last != self._bundle.rules:
            raise NotCheckable(
                f"version {self._bundle.rules} of the rules wrote the bundle, version {last} the"
                " last entry."
            )
        return f"{numbers} numbers in {draw_count} draws."

    def rules(self) -> str:
        """Check that the rules and the dice give the recorded events and draws."""
        entries, game = self._full_entries(), self._game()
        for entry, played, line in zip(
            entries, replay(self._games, entries), self._bundle.entries, strict=True
        ):
            if played.mismatch is not None:
                raise WrongVersion(*played.mismatch)
            if entry.rules == game.rules and played.draws != list(line.draws):
                raise WrongVersion(
                    played.version, "the recorded numbers are not those that the rules drew."
                )
        self._check_board(entries[0])
        others = sum(entry.rules != game.rules for entry in entries)
        if others == len(entries):
            raise NotCheckable(
                f"it was played by version {entries[0].rules} of the rules;"
                f" this program has version {game.rules}."
            )
        if others:
            raise NotCheckable(
                f"{others} of {len(entries)} entries have another version of the rules;"
                " the others fit."
            )
        return f"{len(entries)} entries followed, every move played again."

    def score(self) -> str:
        """Check that the game gives the recorded result."""
        entries = self._full_entries()
        scored = next((entry for entry in entries if entry.kind == "Scored"), None)
        if scored is None:
            raise NotCheckable("the match is not scored.")
        match = fold_match(self._games, entries[: scored.version - 1])
        if scored.rules != match.game.rules:
            raise NotCheckable(f"it was scored by version {scored.rules} of the rules.")
        draft = ending.score(match)
        if pack(draft.events) != scored.events:
            raise WrongVersion(scored.version, "the result differs from that of the game.")
        winners = match.game.scoring(match.state).winners
        return f"it agrees with the game (winning seats: {', '.join(map(str, winners))})."

    def _texts_with_openings(self) -> Iterator[tuple[int, TextFields]]:
        """The texts, with all opened facts in place of their commitments."""
        for number, line in enumerate(self._bundle.entries, 1):
            fields = read_entry_text(number, line.text)
            try:
                open_all(fields, line.openings)
            except Unproven as reason:
                raise WrongVersion(number, str(reason)) from reason
            yield number, fields

    def _entries(self) -> Iterator[tuple[Entry, Content]]:
        for number, fields in self._texts_with_openings():
            try:
                yield entry_of(self._game(), fields)
            except StillHidden as reason:
                raise NotCheckable("some commitments are not opened yet.") from reason
            except Unproven as reason:
                raise WrongVersion(number, str(reason)) from reason

    def _full_entries(self) -> Sequence[Entry]:
        """All entries as the service has them, with the seed. Each must give its text again."""
        seed, entries = self._require_seed(), list[Entry]()
        salts = self._salts()
        for (entry, content), line in zip(self._entries(), self._bundle.entries, strict=True):
            if text_of(salts, entry, content) != line.text.encode():
                raise WrongVersion(entry.version, "its text does not follow from its content.")
            entries.append(entry)
        if not entries:
            raise Unproven("There are no entries.")
        host_seed = creation_event(self._bundle).get("seed_index") is None
        secret = b"".join((seed, salts.key if host_seed else b"", *self._nonces()))
        return [msgspec.structs.replace(entries[0], secret=secret), *entries[1:]]

    def _salts(self) -> Salts:
        return Salts(self._bundle.match, _parse_secret(self._bundle.salts or ""))

    def _nonces(self) -> Iterator[bytes]:
        """The open nonces; the service stores them in entries before the start."""
        for _, fields in self._texts_with_openings():
            for started in events_of(fields, Started):
                yield from (bytes.fromhex(nonce) for nonce in started["nonces"] if nonce)

    def _check_match(self, first: TextFields) -> None:
        created = creation_event(self._bundle)
        stated = (created.get("match"), created.get("game"), created.get("seed_hash"))
        if stated != (self._bundle.match, self._bundle.game, self._bundle.seed_hash):
            raise WrongVersion(
                first["version"], "it belongs to another match than the bundle says."
            )

    def _check_viewer(self, hidden: int) -> None:
        """Raise unless the openings are those that the seat of the bundle may know: none for a
        spectator, and all for everyone once nothing is hidden.
        """
        seat = self._bundle.viewer
        if seat is not None and seat not in range(len(creation_event(self._bundle)["chairs"])):
            raise Unproven(f"The match has no seat {seat}.")
        if not hidden:
            if seat is not None:
                raise NotCheckable(f"the bundle is for seat {seat}, but has the openings of all.")
            return
        for number, fields in self._texts_with_openings():
            openings = self._bundle.entries[number - 1].openings
            if openings and seat is None:
                raise WrongVersion(number, "an opening is not for spectators.")
            if any(owner_of(fields, opening.field) != seat for opening in openings):
                raise WrongVersion(number, f"an opening is not for seat {seat}.")
            hidden_owners = {owner_of(fields, name) for name in hidden_fields(fields)}
            if seat is not None and seat in hidden_owners:
                raise WrongVersion(number, f"an opening for seat {seat} is missing.")

    def _check_board(self, first: Entry) -> None:
        """Raise unless the board follows from the first entry."""
        match = fold_match(self._games, [first])
        board = split_view(match.game, match.game.view(match.blank_state(), None))[0]
        if encode(board) != encode(self._bundle.board):
            raise WrongVersion(1, "the board does not belong to this match.")

    def _revealed_seed(self) -> str | None:
        """The seed in hexadecimal: that of the bundle, or else the one that the end reveals, so
        that a bundle without it is checked like any other. None while the match goes on.
        """
        end = find_end(self._bundle) if self._bundle.seed is None else None
        seed: str | None = end.seed if end else self._bundle.seed
        return seed

    def _require_seed(self) -> bytes:
        """The seed; raises if it is not revealed."""
        seed = self._revealed_seed()
        if seed is None:
            raise NotCheckable("the seed is not revealed yet.")
        return _parse_secret(seed)

    def _game(self) -> Game[Any]:
        if self._bundle.game not in self._games:
            raise NotCheckable(f"this program does not know the game {self._bundle.game}.")
        return self._games[self._bundle.game]


def _parse_secret(written: str) -> bytes:
    if not _SECRET.fullmatch(written):
        raise Unproven("A secret has 64 hexadecimal digits.")
    return bytes.fromhex(written)
