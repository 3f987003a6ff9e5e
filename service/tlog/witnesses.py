"""Witnesses: others who sign a checkpoint, once they saw that it continues the one before.

Each has a thread, a time limit and an answer that is read up to a limit; the log never waits.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from threading import Event, Thread

import structlog

from domain.audit.errors import Unproven
from domain.audit.notes import (
    COSIGNATURE,
    Key,
    Note,
    read_checkpoint,
    read_key,
    read_number,
    read_signatures,
    signed_by,
)
from domain.audit.tiles import nodes_of
from domain.audit.tree import consistency
from service.runtime import metrics
from service.runtime.address_guard import Forbidden, read_url
from service.runtime.http_client import Answer, Client, NoAnswer
from service.runtime.settings import BadSetting
from service.tlog.checkpoint_signer import Notary

ASK_S = 5.0
LOOK_S = 0.5
MOST = 32
PATIENCE_S = (2.0, 120.0)
"""Between tries when a witness does not sign: at first, at most."""
log = structlog.get_logger()


class Witness:
    """One witness: who it is, where it is, and what it signed last."""

    def __init__(self, key: Key, url: str) -> None:
        self.key, self._url = key, f"{url.rstrip('/')}/add-checkpoint"
        self._size = 0
        self.signed = ""
        """The text that it signed last."""

    def ask(self, notary: Notary) -> None:
        """Have it sign the newest checkpoint; NoAnswer or Unproven says why it did not."""
        note = notary.checkpoint()
        if note.text == self.signed:
            return
        with Client(self._url, loopback=True, seconds=ASK_S) as client:
            answer = self._asked(client, note, notary)
            if answer.code == 409:
                self._size = self._told(answer, note)
                answer = self._asked(client, note, notary)
        if answer.code != 200:
            raise NoAnswer(f"It answered {answer.code}.")
        found = read_signatures(_text(answer.body))
        theirs = tuple(one for one in found if self.key.made(one))
        if not signed_by(Note(note.text, theirs), [self.key]):
            raise Unproven("It did not sign with its key.")
        notary.cosigned(note.text, self.key, theirs[:1])
        self._size, self.signed = read_checkpoint(note.text).size, note.text
        metrics.TLOG_WITNESSED.labels(self.key.name).set(self._size)

    def _asked(self, client: Client, note: Note, notary: Notary) -> Answer:
        size = read_checkpoint(note.text).size
        proof = consistency(min(self._size, size), size, nodes_of(size, notary.read))
        lines = [f"old {self._size}", *(b64encode(one).decode() for one in proof), "", str(note)]
        return client.post({"content-type": "text/plain; charset=utf-8"}, "\n".join(lines).encode())

    def _told(self, answer: Answer, note: Note) -> int:
        """The size that a witness knows; it is never more than there is."""
        size = read_number(_text(answer.body).removesuffix("\n"))
        ours = read_checkpoint(note.text)
        if size > ours.size:
            raise Unproven(
                f"It knows {size} leaves of {ours.origin}, which has {ours.size}: it is wrong, or"
                " this log was put back from an older copy, or somebody else signs with its key."
            )
        return size


def read_witnesses(given: tuple[str, ...]) -> list[Witness]:
    """The witnesses of a setting: for each its key, a space, its URL."""
    if len(given) > MOST:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: a log has at most {MOST} witnesses.")
    return [_read_witness(one) for one in given]


def _read_witness(given: str) -> Witness:
    vkey, _, url = given.partition(" ")
    try:
        key = read_key(vkey)
        read_url(url.strip(), loopback=True)
    except (Unproven, Forbidden) as error:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: {given!r} is no witness. {error}") from None
    if key.type != COSIGNATURE:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: {key.name} has not the key of a witness.")
    return Witness(key, url.strip())


def keep_asking(witness: Witness, notary: Notary, stop: Event) -> None:
    """Have a witness sign each checkpoint that there is time for."""
    patience, told = PATIENCE_S[0], ""
    while not stop.wait(LOOK_S):
        try:
            witness.ask(notary)
            patience, told = PATIENCE_S[0], ""
        except (NoAnswer, Unproven, OSError) as error:
            if str(error) != told:
                log.error("not_witnessed", witness=witness.key.name, why=str(error))
            told = str(error)
            stop.wait(patience)
            patience = min(2 * patience, PATIENCE_S[1])


def start(witnesses: Sequence[Witness], notary: Notary, stop: Event) -> list[Thread]:
    """A thread for each witness."""
    threads = [
        Thread(target=keep_asking, args=(one, notary, stop), daemon=True, name="witness")
        for one in witnesses
    ]
    for thread in threads:
        thread.start()
    return threads


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Unproven("It did not answer with text.") from None
