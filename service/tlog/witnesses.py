"""Witnesses: other services that cosign a checkpoint after checking that it extends the last one.

Each witness has a thread, a time limit and a limit on the size of its answer; the log never waits.
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
    find_signers,
    read_checkpoint,
    read_key,
    read_number,
    read_signatures,
)
from domain.audit.tiles import nodes_of
from domain.audit.tree import consistency
from service.runtime import metrics
from service.runtime.address_guard import BlockedAddress, parse_url
from service.runtime.http_client import Client, ReceiverResponse, RequestError
from service.runtime.logs import lasting_thread
from service.runtime.settings import BadSetting
from service.tlog.checkpoint_signer import CheckpointSigner

REQUEST_TIMEOUT_S = 5.0
POLL_S = 0.5
MAX_WITNESSES = 32
RETRY_S = (2.0, 120.0)
"""The first and the longest delay between attempts at a witness that does not sign."""
log = structlog.get_logger()


class Witness:
    """One witness: its key, its URL, and what it signed last."""

    def __init__(self, key: Key, url: str) -> None:
        self.key, self._url = key, f"{url.rstrip('/')}/add-checkpoint"
        self._size = 0
        self.cosigned_text = ""
        """The text that it signed last."""

    def request_cosignature(self, signer: CheckpointSigner) -> None:
        """Request a signature of the newest checkpoint; RequestError or Unproven says why there is
        none.
        """
        note = signer.checkpoint()
        if note.text == self.cosigned_text:
            return
        with Client(self._url, loopback=True, seconds=REQUEST_TIMEOUT_S) as client:
            answer = self._post_checkpoint(client, note, signer)
            if answer.code == 409:
                self._size = self._read_known_size(answer, note)
                answer = self._post_checkpoint(client, note, signer)
        if answer.code != 200:
            raise RequestError(f"It answered {answer.code}.")
        found = read_signatures(_text(answer.body))
        theirs = tuple(one for one in found if self.key.claims(one))
        if not find_signers(Note(note.text, theirs), [self.key]):
            raise Unproven("Its signature does not match its key.")
        signer.add_cosignatures(note.text, self.key, theirs[:1])
        self._size, self.cosigned_text = read_checkpoint(note.text).size, note.text
        metrics.TLOG_WITNESSED.labels(self.key.name).set(self._size)

    def _post_checkpoint(
        self, client: Client, note: Note, signer: CheckpointSigner
    ) -> ReceiverResponse:
        size = read_checkpoint(note.text).size
        proof = consistency(min(self._size, size), size, nodes_of(size, signer.read_tile))
        lines = [f"old {self._size}", *(b64encode(one).decode() for one in proof), "", str(note)]
        return client.post({"content-type": "text/plain; charset=utf-8"}, "\n".join(lines).encode())

    def _read_known_size(self, answer: ReceiverResponse, note: Note) -> int:
        """Return the size that the witness has seen.
        Raises Unproven if it is larger than the log.
        """
        size = read_number(_text(answer.body).removesuffix("\n"))
        ours = read_checkpoint(note.text)
        if size > ours.size:
            raise Unproven(
                f"It knows {size} leaves of {ours.origin}, which has {ours.size}: it is wrong, or"
                " this log was restored from an older copy, or another service signs with its key."
            )
        return size


def read_witnesses(configured: tuple[str, ...]) -> list[Witness]:
    """Parse the setting: for each witness its key, a space, its URL."""
    if len(configured) > MAX_WITNESSES:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: a log has at most {MAX_WITNESSES} witnesses.")
    return [_read_witness(one) for one in configured]


def _read_witness(setting: str) -> Witness:
    vkey, _, url = setting.partition(" ")
    try:
        key = read_key(vkey)
        parse_url(url.strip(), loopback=True)
    except (Unproven, BlockedAddress) as error:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: {setting!r} is not a witness. {error}") from None
    if key.type != COSIGNATURE:
        raise BadSetting(f"ANNALS_TLOG_WITNESSES: {key.name} is not the key of a witness.")
    return Witness(key, url.strip())


def run_witness(witness: Witness, signer: CheckpointSigner, stop: Event) -> None:
    """Request a signature of each new checkpoint until `stop` is set."""
    delay, logged = RETRY_S[0], ""
    while not stop.wait(POLL_S):
        try:
            witness.request_cosignature(signer)
            delay, logged = RETRY_S[0], ""
        except (RequestError, Unproven, OSError) as error:
            if str(error) != logged:
                log.error("witness_failed", witness=witness.key.name, reason=str(error))
            logged = str(error)
            stop.wait(delay)
            delay = min(2 * delay, RETRY_S[1])


def start_threads(
    witnesses: Sequence[Witness], signer: CheckpointSigner, stop: Event
) -> list[Thread]:
    """Start a thread for each witness."""
    threads = [
        lasting_thread(stop, run_witness, one, signer, stop, name="witness") for one in witnesses
    ]
    for thread in threads:
        thread.start()
    return threads


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Unproven("Its answer is not text.") from None
