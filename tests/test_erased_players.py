"""No key, file or log keeps personal data of an erased player."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service.channels.discord.account_links import AccountLinks
from service.channels.discord.channels import Channels, PostedCard
from service.channels.discord.payloads import User
from service.matches.container import open_annals
from service.runtime.redis_urls import own_queue_url, own_redis_url
from service.runtime.settings import read_settings
from tests.support.patience import eventually
from tests.support.whole_service import Service, whole_service
from workers.tools.admin.admin import admin
from workers.tools.admin.erase import erase
from workers.tools.check.verify import verify
from workers.tools.store.dump import READERS

pytestmark = pytest.mark.slow
NAME, TOKEN_NAME, WORDS = "Zenobia Quill", "quills own bot", "quilling all night"
HOOK = "http://127.0.0.1:9/quills-hook"
SETTINGS = {"ANNALS_TOKENS_CACHE_SECONDS": "0", "ANNALS_WEBHOOKS_LOOPBACK": "1"}
BAN = ("ban", NAME, "--reason", WORDS, "--keep-matches", "--yes")
USER, ADDRESS = "314159265358979323", "x-quill"


def live(service: Service) -> dict[str, str]:
    """Create all kinds of data of a person; returns what to look for later."""
    service.sign_up(NAME)
    me = service.insist("GET", "/v1/me")["id"]
    named = service.insist("POST", "/v1/me/tokens", {"name": TOKEN_NAME, "scopes": ["play"]})
    service.insist("POST", "/v1/me/recovery-codes")
    hook = {"url": HOOK, "headers": {ADDRESS: "secret-of-quill"}}
    secret = service.insist("POST", "/v1/webhooks", hook)
    service.insist("POST", f"/v1/webhooks/{secret['id']}/ping")
    deliveries = f"/v1/webhooks/{secret['id']}/deliveries"
    eventually(lambda: service.insist("GET", deliveries)["deliveries"])
    plan = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}]}
    played = service.insist("POST", "/v1/matches", plan, Idempotency_Key="quills-key")["id"]
    service.insist("POST", "/v1/matches", {"game": "qin", "seats": [{"me": True}, {"open": True}]})
    in_discord(service, me, played)
    assert not annals(service.data, admin, *BAN).exit_code
    return {
        "name": NAME,
        "token": service.token,
        "its hash": sha256(service.token.encode()).hexdigest(),
        "name of a token": TOKEN_NAME,
        "named token": sha256(named["token"].encode()).hexdigest(),
        "address": HOOK,
        "header": ADDRESS,
        "secret": secret["secret"],
        "user": USER,
        "words": WORDS,
        "key": "quills-key",
        "id": me,
        "match": played,
    }


def in_discord(service: Service, me: str, match: str) -> None:
    """They link their account, and a message shows their match."""
    annals = open_annals(read_settings(service.environ))
    links = AccountLinks(annals.store.redis, annals.players)
    links.set_preferences(USER, ping=False, board=None)
    links.link(me, links.create_code(USER))
    assert links.get_or_create_player(User(USER), 0).id == me
    card = PostedCard("1", 1, [{"content": f"{NAME} <@{USER}>"}], None)
    Channels(annals.store).put_card("2", match, card)


def places(data: Path) -> Iterator[tuple[str, str]]:
    """All keys and all files with their content."""
    for url in (own_redis_url(data), own_queue_url(data)):
        with Redis.from_url(url) as redis:
            for key in redis.scan_iter():
                kind = redis.type(key).decode()
                if kind == "none":  # it has just been deleted
                    continue
                held: Any = redis.xrange(key) if kind == "stream" else None
                held = redis.lrange(key, 0, -1) if kind == "list" else held
                yield str(key), str(key) + str(held or READERS[kind](redis, key))
    for path in data.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes().decode(errors="replace")


def find_traces(data: Path, known: dict[str, str]) -> list[tuple[str, str]]:
    sought = {what: text.casefold() for what, text in known.items() if what not in ("id", "match")}
    return [
        (place, what)
        for place, held in places(data)
        for what, text in sought.items()
        if text in held.casefold()
    ]


def annals(data: Path, command: click.Command, *words: str) -> Result:
    """The result of a command on this folder."""
    environ = {**SETTINGS, "ANNALS_DATA": str(data), "REDIS_URL": ""}
    return CliRunner().invoke(command, [*map(str, words)], env=environ)


def test_no_trace_of_an_erased_player_is_found(tmp_path: Path) -> None:
    with whole_service(tmp_path / "var", **SETTINGS) as service:
        known = live(service)
        kept = {what for _, what in find_traces(service.data, known)}
        assert kept == known.keys() - {"id", "match", "token", "key"}  # those are kept as hashes
        received = annals(service.data, erase, NAME, "--dry-run")
        assert "name (1)" in received.stdout
        assert annals(service.data, erase, NAME).exit_code == 1  # the command is not confirmed
        assert {what for _, what in find_traces(service.data, known)} == kept
        done = annals(service.data, erase, NAME, "--yes")
        assert done.stdout == received.stdout.replace("would be removed", "removed"), done.stderr
        eventually(lambda: not find_traces(service.data, known))
        again = annals(service.data, erase, known["id"], "--yes")
        assert again.stdout == f"{known['id']}: nothing removed.\n", again.stderr
        service.token = ""
        shown = service.insist("GET", f"/v1/matches/{known['match']}")
        assert [seat["name"] for seat in shown["seats"]] == ["deleted", None]
        assert annals(service.data, verify, known["match"]).exit_code == 0
