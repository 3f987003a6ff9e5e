"""An account that was stolen comes back to its player, and stays with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from flask import Flask

from service.admin.moderation import Moderation
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.payloads import User
from service.channels.webhooks.subscriptions import DisabledReason, Subscriptions
from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api
from tests.support.documented_keys import ROW, STORE_PAGE

THIEF = User("101", "thief", "Thief")
ENDED = {
    "discord:player:<id>", "discord:user:<id>", "player:<id>:mail",
    "player:<id>:mail:pending", "player:<id>:push", "player:<id>:push:<subscription>",
    "player:<id>:recovery", "player:<id>:tokens",
    "player:<id>:webhooks", "session:code:<sha256>", "token:<sha256>", "{webhook:<id>}",
    "{webhook:<id>}:deliveries", "webhooks:audience:<match>",
}  # fmt: skip
"""The kinds of keys of a player that give access to their account, and that its return ends."""
NO_ACCESS = {
    "admin", "discord:card:<channel>:<id>", "discord:channel:<id>", "discord:code:<hash>",
    "discord:match:<id>", "discord:tries:<id>", "discord:unwritable:<channel>", "house",
    "look:<skeleton>", "name:<folded>", "network:<player>", "operators", "operators:code",
    "player:<id>", "player:<id>:blocked-by", "player:<id>:blocks", "player:<id>:followed-by",
    "player:<id>:follows", "player:<id>:notes", "player:<id>:notes:<match>", "player:<id>:renamed",
    "player:<id>:mail:seen", "player:<id>:mail:state", "player:<id>:mail:talk",
    "player:<id>:mutes", "player:<id>:notices", "player:<id>:notices:matches",
    "player:<id>:talk", "talk:reports", "{p7}:talk:<room>:<match>",
    "{p7}:talk:<room>:<match>:changes", "{p7}:talk:due", "{p7}:talk:feed",
    "{p7}:talk:marks:<match>", "{p7}:talk:receipt:<hash>",
    "player:<id>:seeds", "presence",
    "players", "push:key", "quota:<what>:<address>:<hour>", "seeds:key", "shared-network:<match>",
    "webhooks:failing", "webhooks:joining:<id>", "webhooks:key", "{webhook:<id>}:lock",
}  # fmt: skip
"""The kinds of keys beside them that give none. `/admin` gives operators no new token."""
Return = Callable[[Annals, Api, Api], None]
"""How an account comes back to its player."""


def test_a_thief_cannot_come_back_with_a_session_or_a_recovery_code(
    app: Flask, annals: Annals, bob: Api, nobody: Api
) -> None:
    code = bob.post("/v1/me/recovery-codes").json["recovery_codes"][0]
    link = bob.post("/v1/session/codes").json
    token = Moderation(annals, "root").replace_tokens(bob.id)
    refused = nobody.post("/v1/recovery", {"name": "Bob", "code": code})
    assert (refused.status_code, refused.json["code"]) == (403, "bad_recovery")
    assert nobody.post("/v1/session", {"code": link["code"]}).status_code == 403
    assert bob.get("/v1/me").status_code == 401
    assert Api(app, token).get("/v1/me").json["id"] == bob.id


def return_by_operator(annals: Annals, bob: Api, _: Api) -> None:
    Moderation(annals, "root").replace_tokens(bob.id)


def return_by_code(_: Annals, bob: Api, nobody: Api) -> None:
    code = bob.post("/v1/me/recovery-codes").json["recovery_codes"][0]
    assert nobody.post("/v1/recovery", {"name": "Bob", "code": code}).status_code == 201


OFF = get_args(DisabledReason)
RETURNS = pytest.mark.parametrize("come_back", [return_by_operator, return_by_code])


@RETURNS
def test_the_discord_user_of_a_thief_plays_as_themselves_again(
    annals: Annals, bob: Api, nobody: Api, come_back: Return
) -> None:
    links = AccountLinks(annals.store.redis, annals.players)
    own = links.get_or_create_player(THIEF, NOON)
    links.link(bob.id, links.create_code(THIEF.id))
    assert links.player_id_of(THIEF.id) == bob.id
    come_back(annals, bob, nobody)
    assert links.get_or_create_player(THIEF, NOON) == own


@RETURNS
def test_the_discord_user_who_began_with_an_account_keeps_it(
    annals: Annals, app: Flask, bob: Api, nobody: Api, come_back: Return
) -> None:
    """Also while they play with another account of theirs."""
    links = AccountLinks(annals.store.redis, annals.players)
    redis = annals.store.redis
    redis.hset("discord:user:101", mapping={"own": bob.id, "linked": "u0123456789abcdef"})
    redis.mset({f"discord:player:{bob.id}": "101", "discord:player:u0123456789abcdef": "101"})
    come_back(annals, bob, nobody)
    assert links.player_id_of("101") == "u0123456789abcdef"
    links.unlink("101")
    assert links.player_id_of("101") == bob.id


@RETURNS
def test_webhooks_are_off_until_the_player_turns_them_on(
    annals: Annals, app: Flask, bob: Api, nobody: Api, come_back: Return
) -> None:
    subscriptions = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    made, *off = (
        bob.post("/v1/webhooks", {"url": f"https://{host}.example/"}).json["id"]
        for host in ("thief", *OFF)
    )
    for webhook, reason in zip(off, OFF, strict=True):
        subscriptions.disable(webhook, reason, NOON)
    come_back(annals, bob, nobody)
    for webhook in (made, *off):
        Moderation(annals, "root").retry_webhook(subscriptions, webhook)
    found = {one.health.disabled_reason for one in subscriptions.list_for(bob.id)}
    assert found == {"by_owner"}, "also after operators have tried them again"
    Moderation(annals, "root").ban(bob.id, "A mistake.")
    Moderation(annals, "root").lift_ban(bob.id)
    assert {one.health.disabled_reason for one in subscriptions.list_for(bob.id)} == {"by_owner"}
    owner = Api(app, annals.players.replace_all_tokens(bob.id, NOON))
    assert owner("PATCH", f"/v1/webhooks/{made}", {"active": True}).json["disabled_reason"] is None


def test_each_kind_of_key_is_judged() -> None:
    """The next one, too."""
    _, _, rest = STORE_PAGE.read_text().partition("\n## Players, webhooks and Discord\n")
    kinds = {name for name, _ in ROW.findall(rest.partition("\n## ")[0])}
    assert len(kinds) > 30
    assert len(ENDED) + len(NO_ACCESS) == len(ENDED | NO_ACCESS)
    assert kinds == ENDED | NO_ACCESS
