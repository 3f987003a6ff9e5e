"""A stand-in for a witness of C2SP tlog-witness that can misbehave."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from domain.audit.errors import Unproven
from domain.audit.notes import Checkpoint, Key, Witness, find_signers, read_checkpoint, read_note
from domain.audit.tree import EMPTY_ROOT, check_consistency

Reply = tuple[int, str, bytes]
TEXT = "text/plain; charset=utf-8"


@dataclass
class StandIn:
    """The state of a witness for one log."""

    url: str = ""
    witness: Witness = field(default_factory=lambda: Witness("witness.example/w1", bytes(32)))
    trusted: list[Key] = field(default_factory=list)
    seen: Checkpoint = field(default_factory=lambda: Checkpoint("", 0, EMPTY_ROOT))
    asked: list[bytes] = field(default_factory=list)
    answers: Callable[[bytes], Reply] | None = None
    """Replaces its answers, to misbehave."""

    @property
    def setting(self) -> str:
        """Its entry in the setting."""
        return f"{self.witness.key.vkey} {self.url}"

    def answer(self, body: bytes) -> Reply:
        """Answer `add-checkpoint`."""
        self.asked.append(body)
        if self.answers:
            return self.answers(body)
        head, _, raw = body.decode().partition("\n\n")
        old, *lines = head.split("\n")
        note = read_note(raw)
        now = read_checkpoint(note.text)
        if not find_signers(note, self.trusted):
            return 403, TEXT, b""
        if old != f"old {self.seen.size}":
            return 409, "text/x.tlog.size", b"%d\n" % self.seen.size
        try:
            proof = [b64decode(line) for line in lines]
            check_consistency(self.seen.size, self.seen.root, now.size, now.root, proof)
        except Unproven:
            return 422, TEXT, b""
        self.seen = now
        return 200, TEXT, self.witness.cosign(note.text, 1_700_000_000).line.encode()


@contextmanager
def standing_in() -> Iterator[StandIn]:
    """A witness that listens on this machine."""
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/w/add-checkpoint"
            body = self.rfile.read(int(self.headers["content-length"]))
            code, kind, answer = stand_in.answer(body)
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.url = f"http://127.0.0.1:{server.server_port}/w"
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
