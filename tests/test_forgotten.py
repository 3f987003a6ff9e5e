"""Of a player who was forgotten nothing is found: in no key, in no file, and in no log."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from service.channels.discord.account_links import Links
from service.channels.discord.channels import Card, Channels
from service.channels.discord.payloads import User
from service.matches.container import open_annals
from service.runtime.settings import own_queue, own_redis, read_settings
from tests.support.patience import eventually
from tests.support.whole_service import Service, whole_service
from workers.tools.admin.admin import admin
from workers.tools.admin.erase import forget
from workers.tools.check.verify import verify
from workers.tools.store.dump import READ

pytestmark = pytest.mark.slow
NAME, TOKEN_NAME, WORDS = "Zenobia Quill", "quills own bot", "quilling all night"
HOOK = "http://127.0.0.1:9/quills-hook"
SETTINGS = {"ANNALS_TOKENS_CACHE_SECONDS": "0", "ANNALS_WEBHOOKS_LOOPBACK": "1"}
BAN = ("ban", NAME, "--reason", WORDS, "--keep-matches", "--yes")
USER, ADDRESS = "314159265358979323", "x-quill"


def live(service: Service) -> dict[str, str]:
    """Leave something of a person wherever such things are kept; what to look for later."""
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
    """They are linked there, and a message shows their match."""
    annals = open_annals(read_settings(service.environ))
    links = Links(annals.store.redis, annals.players)
    links.wish(USER, ping=False, form=None)
    links.link(me, links.offer(USER))
    assert links.player_of(User(USER), 0).id == me
    card = Card("1", 1, [{"content": f"{NAME} <@{USER}>"}], None)
    Channels(annals.store).put_card("2", match, card)


def places(data: Path) -> Iterator[tuple[str, str]]:
    """All keys with what they hold, and all files with theirs."""
    for url in (own_redis(data), own_queue(data)):
        with Redis.from_url(url) as redis:
            for key in redis.scan_iter():
                kind = redis.type(key).decode()
                if kind == "none":  # it has just gone
                    continue
                held: Any = redis.xrange(key) if kind == "stream" else None
                held = redis.lrange(key, 0, -1) if kind == "list" else held
                yield str(key), str(key) + str(held or READ[kind](redis, key))
    for path in data.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes().decode(errors="replace")


def found(data: Path, known: dict[str, str]) -> list[tuple[str, str]]:
    sought = {what: text.casefold() for what, text in known.items() if what not in ("id", "match")}
    return [
        (place, what)
        for place, held in places(data)
        for what, text in sought.items()
        if text in held.casefold()
    ]


def annals(data: Path, command: click.Command, *words: str) -> Result:
    """A command on this folder, as it is carried out."""
    environ = {**SETTINGS, "ANNALS_DATA": str(data), "REDIS_URL": ""}
    return CliRunner().invoke(command, [*map(str, words)], env=environ)


def test_nothing_is_found_of_a_player_who_was_forgotten(tmp_path: Path) -> None:
    with whole_service(tmp_path / "var", **SETTINGS) as service:
        known = live(service)
        kept = {what for _, what in found(service.data, known)}
        assert kept == known.keys() - {"id", "match", "token", "key"}  # those are kept as hashes
        told = annals(service.data, forget, NAME, "--dry-run")
        assert "name (1)" in told.stdout
        assert annals(service.data, forget, NAME).exit_code == 1  # nobody has said yes
        assert {what for _, what in found(service.data, known)} == kept
        done = annals(service.data, forget, NAME, "--yes")
        assert done.stdout == told.stdout.replace("would be removed", "removed"), done.stderr
        eventually(lambda: not found(service.data, known))
        again = annals(service.data, forget, known["id"], "--yes")
        assert again.stdout == f"{known['id']}: nothing removed.\n", again.stderr
        service.token = ""
        shown = service.insist("GET", f"/v1/matches/{known['match']}")
        assert [seat["name"] for seat in shown["seats"]] == ["deleted", None]
        assert annals(service.data, verify, known["match"]).exit_code == 0
