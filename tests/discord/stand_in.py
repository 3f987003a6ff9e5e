"""A stand-in for Discord's API, as a process: `python -m`, with a port.

Tests control it below `/_/`: they use commands, read messages, advance the clock and cause errors.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from email.parser import BytesParser
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, RLock
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.discord.checks import Wrong, check_answer
from tests.discord.state import APP, BOT_TOKEN, UNAUTHORIZED, CallRefused, State, Use

FILE_BYTES, REQUEST_BYTES = 10 << 20, 25 << 20
KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
PUBLIC = KEY.public_key().public_bytes_raw().hex()
PATH = "/v1/discord/interactions"


def wall_clock() -> int:
    """The time of day in ms, without the service, whose import takes more than a second."""
    return time.time_ns() // 1_000_000  # noqa: TID251 - Discord signs it


class Discord:
    """Its state, and the service that it calls."""

    def __init__(self) -> None:
        self.state, self.lock, self.service = State(), RLock(), ""
        self.clock: Callable[[], int] = wall_clock  # ms, in each request it sends
        self.sent: dict[str, Any] = {}
        self.waits, self.goes_on = Event(), Event()

    def on_use(self, asked: Any) -> Any:
        """Send an interaction to the service and store its answer."""
        channel, user = asked["channel"], asked["user"]
        with self.lock:
            use = self.state.begin(user["id"], channel, asked.get("user_only", False))
            self._must_be_there(asked)
        self.sent[use.token] = self._body(use, asked)
        status, raw, took = self.send(PATH, self.sent[use.token])
        answer = json.loads(raw)
        if status != 200:
            return {"status": status, "answer": answer}
        with self.lock:
            try:
                check_answer(asked["type"], answer)
            except (Wrong, KeyError, TypeError) as wrong:
                return {"status": 0, "answer": answer, "wrong": repr(wrong)}
            self.state.store_answer(use, answer, asked.get("message"))
        return {"status": 200, "answer": answer, "message": use.original, "took_ms": took,
                "token": use.token}  # fmt: skip

    def send(self, path: str, body: Any, key: Ed25519PrivateKey = KEY) -> tuple[int, bytes, float]:
        """Call the service, signed."""
        raw, at = json.dumps(body).encode(), str(self.clock() // 1000)
        where = urlsplit(self.service)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
        headers = {
            "Content-Type": "application/json",
            "X-Signature-Ed25519": key.sign(at.encode() + raw).hex(),
            "X-Signature-Timestamp": at,
        }
        began = monotonic()
        connection.request("POST", path, raw, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content, (monotonic() - began) * 1000

    def on_clock(self, now: int) -> None:
        """Set the time (ms) for a service with a fixed clock."""
        self.clock = lambda: now

    def on_service(self, url: str) -> None:
        self.service = url

    def on_reset(self, _asked: None) -> None:
        """Delete all state but the clock."""
        self.state = State()

    def on_again(self, token: str) -> int:
        """Send the same interaction again."""
        return self.send(PATH, self.sent[token])[0]

    def on_event(self, event: Any) -> int:
        return self.send("/v1/discord/events", event)[0]

    def on_probe(self, _asked: None) -> Any:
        """Send a ping, as Discord does for a new URL, and one with a bad signature."""
        ping = {"id": "1", "application_id": APP, "type": 1, "token": "x"}
        good, content, _took = self.send(PATH, ping)
        bad, _, _took = self.send(PATH, ping, Ed25519PrivateKey.generate())
        return {"good": good, "answer": json.loads(content), "bad": bad}

    def on_messages(self, _asked: None) -> Any:
        with self.lock:
            return [message.as_json() for message in self.state.messages.values()]

    def on_message(self, number: str) -> Any:
        with self.lock:
            return self.state.messages[number].as_json()

    def on_newest(self, channel: str) -> Any:
        """The last message in a channel that all see, once it has content."""
        with self.lock:
            seen = [one for one in self.state.messages.values() if one.channel == channel]
            return next(one for one in reversed(seen) if not one.only and one.components).as_json()

    def on_lose(self, asked: Any) -> None:
        """Lose the next call of a kind, or its answer: the caller waits until `found`."""
        self.waits.clear()
        self.goes_on.clear()
        self.state.lost = asked["what"], asked["method"]

    def on_lost(self, _asked: None) -> bool:
        """Whether such a call has come."""
        return self.waits.is_set()

    def on_found(self, _asked: None) -> None:
        self.goes_on.set()

    def take(self, what: str, method: str, path: str) -> bool:
        """Whether this call gets lost; if so, the fault ends once it is detected."""
        with self.lock:
            if self.state.lost != (what, method) or not path.startswith("/webhooks/"):
                return False
            self.state.lost = None
        self.waits.set()
        self.goes_on.wait()
        return True

    def on_calls(self, _asked: None) -> Any:
        return self.state.calls

    def on_commands(self, _asked: None) -> Any:
        return self.state.commands

    def on_pass(self, seconds: int) -> None:
        self.state.now += seconds

    def on_too_many(self, waits: list[float | None]) -> None:
        """Refuse the next calls with these waits; None names no wait."""
        self.state.too_many += waits

    def on_new_hook(self, channel: str) -> str:
        return self.state.new_hook(channel)

    def on_new_thread(self, thread: str) -> None:
        self.state.threads.add(thread)

    def on_delete_hook(self, number: str) -> None:
        del self.state.hooks[number]

    def on_without_bot(self, channel: str) -> None:
        self.state.channels_without_bot.add(channel)

    def _must_be_there(self, asked: Any) -> None:
        """A user can press only what they see."""
        if asked["type"] != 3:
            return
        message = self.state.messages[asked["message"]]
        assert message.only in (None, asked["user"]["id"]), "they do not see it"
        assert json.dumps(asked["data"]["custom_id"]) in json.dumps(message.components)

    def _body(self, use: Use, asked: Any) -> Any:
        who = {"user": asked["user"]}
        in_guild = asked.get("context", 0) == 0
        return {
            "id": use.id, "application_id": APP, "type": asked["type"], "token": use.token,
            "version": 1, "channel_id": use.channel, "channel": {"id": use.channel, "type": 0},
            "context": asked.get("context", 0), "locale": "de", "entitlements": [],
            "app_permissions": "0", "attachment_size_limit": asked.get("limit", FILE_BYTES),
            "authorizing_integration_owners": {"1" if use.user_only else "0": "1"},
            "data": asked["data"],
            **({"member": {**who, "roles": []}, "guild_id": "1"} if in_guild else who),
        }  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    discord: Discord

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_PUT = do_GET  # noqa: N815 - the names of http.server

    def log_message(self, *_: object) -> None:
        pass

    def _serve(self) -> None:
        path = unquote(urlsplit(self.path).path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        ours = path.startswith("/_/")
        if not ours and self.discord.take("call", self.command, path):
            self.close_connection = True
            return
        try:
            status, body = 200, (self._control(path[3:], raw) if ours else self._api(path, raw))
        except CallRefused as refused:
            status, body = refused.status, refused.body
        if not ours:
            self.discord.state.calls.append((self.command, path, status))
            if self.discord.take("answer", self.command, path):
                self.close_connection = True
                return
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _control(self, what: str, raw: bytes) -> Any:
        discord = self.discord
        asked = json.loads(raw or b"null")
        return getattr(discord, f"on_{what}")(asked)

    def _api(self, path: str, raw: bytes) -> Any:
        state = self.discord.state
        with self.discord.lock:
            if state.too_many:
                wait = state.too_many.pop(0)
                received = {} if wait is None else {"retry_after": wait}
                raise CallRefused(429, 0, "You are being rate limited.", **received)
            if len(raw) > REQUEST_BYTES:
                raise CallRefused(413, 40005, "Request entity too large")
            body, files = self._parts(raw)
            if found := re.fullmatch(rf"/webhooks/{APP}/([^/]+)(/messages/@original)?", path):
                edits = bool(found[2])
                if edits != (self.command == "PATCH") or (
                    not edits and "wait=true" not in self.path
                ):
                    raise CallRefused(405, 0, "405: Method Not Allowed")
                do = state.edit_original if edits else state.follow_up
                return do(found[1], body, files)
            if found := re.fullmatch(r"/api/webhooks/(\d+)/([^/]+)", path):
                return self._run_hook(found[1], found[2], body, files)
            return self._as_bot(path, body, files)

    def _run_hook(self, number: str, token: str, body: Any, files: dict[str, bytes]) -> Any:
        """Without `wait`, Discord reports neither errors nor the message."""
        asked = dict(parse_qsl(urlsplit(self.path).query))
        if self.command != "POST" or asked.pop("wait", "") != "true":
            raise CallRefused(405, 0, "405: Method Not Allowed")
        thread = asked.pop("thread_id", "")
        if asked or self.headers.get("Authorization"):
            raise CallRefused(400, 50035, "Invalid Form Body", errors=f"unknown {sorted(asked)}")
        return self.discord.state.run_hook(number, token, thread, body, files)

    def _as_bot(self, path: str, body: Any, files: dict[str, bytes]) -> Any:
        state = self.discord.state
        if self.headers.get("Authorization") != f"Bot {BOT_TOKEN}":
            raise CallRefused(*UNAUTHORIZED)
        if found := re.fullmatch(r"/channels/(\d+)/messages(?:/(\d+))?", path):
            if found[2]:
                return state.edit(found[1], found[2], body, files)
            return state.post(found[1], body, files)
        if path == f"/applications/{APP}/commands":
            return state.register(body) if self.command == "PUT" else state.commands
        if path == "/applications/@me":
            url = f"https://annals.example.com{PATH}"
            return {"id": APP, "verify_key": PUBLIC, "interactions_endpoint_url": url}
        raise CallRefused(404, 0, "404: Not Found")

    def _parts(self, raw: bytes) -> tuple[Any, dict[str, bytes]]:
        kind = self.headers.get("Content-Type", "")
        if not kind.startswith("multipart/form-data"):
            return json.loads(raw or b"null"), {}
        form = BytesParser().parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + raw)
        body, files = None, {}
        for part in form.get_payload():
            content = part.get_payload(decode=True)
            if part.get_param("name", header="content-disposition") == "payload_json":
                body = json.loads(content)
            elif len(content) > FILE_BYTES:
                raise CallRefused(413, 40005, "Request entity too large")
            else:
                files[part.get_filename()] = content
        return body, files


def main(port: int) -> None:
    Handler.discord = Discord()
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
