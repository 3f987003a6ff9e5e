"""A thief keeps nothing of a request that runs while a stolen account returns to its player: the
return runs whole between any two commands of the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import pytest
from flask import Flask
from redis.connection import AbstractConnection

from service.admin.moderation import Moderation
from service.channels.discord.account_links import AccountLinks
from service.channels.discord.payloads import User
from service.channels.mail.addresses import MailAddresses
from service.channels.push.browsers import PushSubscriptions
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api, register
from tests.service.api.mailing import sending_mail
from tests.service.api.test_scopes import OPERATIONS, SCOPE
from tests.support.push_browser import BROWSER

THIEF = User("101", "thief", "Thief")
WEBHOOK = {"url": "https://thief.example/"}
OWN = {"Sec_Fetch_Site": "same-origin"}


class Stolen(NamedTuple):
    """What a thief has of an account."""

    api: Api
    browser: Api
    session_code: str
    discord_code: str
    webhook: str
    """It is turned off."""


REQUESTS: Mapping[str, Callable[[Stolen], object]] = {
    "createRecoveryCodes": lambda thief: thief.api.post("/v1/me/recovery-codes"),
    "createSessionCode": lambda thief: thief.api.post("/v1/session/codes"),
    "createToken": lambda thief: thief.api.post(
        "/v1/me/tokens", {"name": "bot", "scopes": ["play"]}
    ),
    "createWebhook": lambda thief: thief.api.post("/v1/webhooks", WEBHOOK),
    "linkDiscord": lambda thief: thief.api.post("/v1/me/discord", {"code": thief.discord_code}),
    "recoverWebhook": lambda thief: thief.api.post(f"/v1/webhooks/{thief.webhook}/recover"),
    "renewToken": lambda thief: thief.api.post("/v1/me/token"),
    "renewToken of a browser": lambda thief: thief.browser.post("/v1/me/token"),
    "setMyMail": lambda thief: thief.api.put("/v1/me/mail", {"address": "thief@example.org"}),
    "signIn": lambda thief: thief.api.post("/v1/session", {"token": thief.api.token}, **OWN),
    "signIn with a code": lambda thief: thief.api.post(
        "/v1/session", {"code": thief.session_code}, **OWN
    ),
    "subscribeBrowser": lambda thief: thief.api.post(
        "/v1/me/push-subscriptions", BROWSER.subscription()
    ),
    "updateWebhook": lambda thief: thief.api(
        "PATCH", f"/v1/webhooks/{thief.webhook}", {"active": True}
    ),
}
NO_ACCESS = {
    "blockPlayer", "changeMyName", "deleteMe", "deleteWebhook", "followPlayer", "getMyMail",
    "listPushSubscriptions", "unsubscribeBrowser",
    "listTokens", "pingWebhook", "redeliverMessage", "removeMyMail", "replayMatch", "revokeToken",
    "rotateSecret", "sendExample", "setForcedMoves", "setNotices", "setPresence", "signOut",
    "unblockPlayer", "unfollowPlayer", "unlinkDiscord",
}  # fmt: skip
"""Other requests that manage an account: they give no access that lasts. A webhook has to be on."""


@pytest.fixture(autouse=True)
def mail_is_sent(app: Flask, annals: Annals) -> Iterator[None]:
    with sending_mail(app, annals):
        yield


@pytest.mark.parametrize("name", REQUESTS)
def test_a_thief_keeps_nothing_of_a_request_in_progress(
    annals: Annals, app: Flask, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for commands in count():
        thief = steal(annals, register(app, f"Bob {commands}"))
        returned = list[str]()

        def give_back(thief: Stolen = thief, returned: list[str] = returned) -> None:
            returned.append(Moderation(annals, "root").replace_tokens(thief.api.id))

        with monkeypatch.context() as patch:
            interrupt(patch, commands, give_back)
            REQUESTS[name](thief)
        if not returned:
            break
        _check_access(annals, Api(app, *returned, thief.api.id), commands)
    assert commands > 1


def steal(annals: Annals, api: Api) -> Stolen:
    links = AccountLinks(annals.store.redis, annals.players)
    links.get_or_create_player(THIEF, NOON)
    webhook = api.post("/v1/webhooks", WEBHOOK).json["id"]
    api("PATCH", f"/v1/webhooks/{webhook}", {"active": False})
    return Stolen(
        api,
        Api(api.app, annals.players.tokens.issue_session(api.id, "Firefox", NOON), api.id),
        api.post("/v1/session/codes").json["code"],
        links.create_code(THIEF.id),
        webhook,
    )


def interrupt(patch: pytest.MonkeyPatch, commands: int, then: Callable[[], object]) -> None:
    """Call a function once, after a number of commands to Redis."""
    send, left = AbstractConnection.send_packed_command, iter([*[None] * commands, then])

    def send_after(self: Any, *sent: Any, **options: Any) -> Any:
        if now := next(left, None):
            now()
        return send(self, *sent, **options)

    patch.setattr(AbstractConnection, "send_packed_command", send_after)


def _check_access(annals: Annals, owner: Api, commands: int) -> None:
    """Only the new token gives access to the account."""
    redis, players = annals.store.redis, annals.players
    assert len(players.tokens.of_player(owner.id)) == 1, commands
    stored = [players.tokens.find(key.decode()) for key in redis.scan_iter("token:*")]
    assert sum(one is not None and one.player == owner.id for one in stored) == 1, commands
    assert owner.get("/v1/me").status_code == 200, commands
    assert players.recovery.count(owner.id) == 0, commands
    assert AccountLinks(redis, players).player_id_of(THIEF.id) != owner.id, commands
    webhooks = Subscriptions(redis, annals.store.partitions, 10).list_for(owner.id)
    assert all(one.health.disabled_reason for one in webhooks), commands
    assert MailAddresses(annals.store).count(owner.id) == 0, commands
    assert PushSubscriptions(annals.store).list_for(owner.id) == [], commands


def test_each_request_that_manages_an_account_is_judged() -> None:
    """The next one, too. Those of operators give access to others, and are recorded."""
    named = {
        operation["operationId"]
        for path, _, operation in OPERATIONS
        if SCOPE.findall(operation["description"]) == ["account"] or path == "/v1/session"
        if not path.startswith("/v1/admin/")
    }
    assert named == NO_ACCESS | {name.partition(" ")[0] for name in REQUESTS}
