"""Nothing that a request writes outlives the deletion of an account that runs meanwhile: whole
between two commands of the request, or around the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import pytest
from flask import Flask
from structlog.testing import capture_logs

from projections.outbox.plan import filters_key
from service.accounts.people.meeting import blocks_in, follows_in
from service.accounts.players import Player, player_key
from service.channels import account_deletion
from service.channels.account_deletion import delete_account, remaining_data
from service.channels.discord.account_links import AccountLinks
from service.matches.container import Annals
from tests.service.api.conftest import Api, fold_lists, open_table, register
from tests.service.api.mailing import sending_mail
from tests.service.api.test_scopes import OPERATIONS
from tests.service.api.test_stolen_meanwhile import REQUESTS as GIVE_ACCESS
from tests.service.api.test_stolen_meanwhile import THIEF, Stolen, interrupt, steal

TOY_TABLE = {"game": "toy", "seats": [{"me": True}, {"open": True}]}


def invite(guest: Api) -> Mapping[str, object]:
    """A table with a seat for this player."""
    name = guest.get("/v1/me").json["name"]
    return {**TOY_TABLE, "seats": [{"me": True}, {"invite": name}]}


class Leaving(NamedTuple):
    """A player whose account is deleted, and another one with a started match and a table."""

    whole: Stolen
    api: Api
    other: Api
    match: str
    table: str


PLAN = {"moves": [{"move": {"type": "Seal", "card": 1}}]}
REQUESTS: Mapping[str, Callable[[Leaving], object]] = {
    "blockPlayer": lambda one: one.api.put(f"/v1/me/blocks/{one.other.id}", None),
    "blockPlayer by another": lambda one: one.other.put(f"/v1/me/blocks/{one.api.id}", None),
    "changeMyName": lambda one: one.api.post("/v1/me/name", {"name": f"Max {one.match[-6:]}"}),
    "followPlayer": lambda one: one.api.put(f"/v1/me/follows/{one.other.id}", None),
    "followPlayer by another": lambda one: one.other.put(f"/v1/me/follows/{one.api.id}", None),
    "markTalkRead": lambda one: one.api.put(f"{one.match}/talk/players/read", {"number": 1}),
    "mutePlayer": lambda one: one.api.put(f"/v1/me/mutes/{one.other.id}", None),
    "createMatch": lambda one: one.api.post("/v1/matches", TOY_TABLE),
    "createMatch by another": lambda one: one.other.post("/v1/matches", invite(one.api)),
    "reportMessage": lambda one: one.other.post(f"{one.match}/talk/players/1/report"),
    "rotateSecret": lambda one: one.api.post(f"/v1/webhooks/{one.whole.webhook}/rotate-secret"),
    "say": lambda one: one.api.post(f"{one.match}/talk/players", {"phrase": "hello"}),
    "setForcedMoves": lambda one: one.api.put("/v1/me/forced-moves", {"automatic": True}),
    "setMatchForcedMoves": lambda one: one.api.put(
        f"{one.match}/forced-moves", {"automatic": True}
    ),
    "setMatchNotices": lambda one: one.api.put(f"{one.match}/notices", {"notices": "none"}),
    "setNotices": lambda one: one.api.put("/v1/me/notices", {"kinds": {}, "twice": True}),
    "setPlan": lambda one: one.api.put(f"{one.match}/plan", PLAN),
    "setPresence": lambda one: one.api.put("/v1/me/presence", {"shown": True}),
    "takeSeat": lambda one: one.api.post(f"{one.table}/seats"),
    "writeNote": lambda one: one.api.put(f"{one.match}/notes/1", {"text": "A note"}),
    **{name: lambda one, name=name: GIVE_ACCESS[name](one.whole) for name in GIVE_ACCESS},  # type: ignore[misc]
}

BETWEEN_WRITES = {"createMatch by another": 6, "recoverWebhook": 7, "say": 4, "writeNote": 2}
"""After how many commands of a request the deletion runs, if not after the first one."""
WRITE_NOTHING_ABOUT = {
    "answerUndo", "beginLesson", "closeMatch", "declineInvitation", "deleteMe", "deleteWebhook",
    "forkMatch", "giveTime", "keepMatch", "leaveSeat", "makeMove", "openNonce", "pingWebhook",
    "playAgain", "previewMove", "previewMoveSvg", "receiveDiscordEvent",
    "receiveDiscordInteraction", "reclaimSeats", "recoverAccount", "redeliverMessage", "redoMoves",
    "registerPlayer", "removeMessage", "removeMyMail", "removeNote", "removePlan", "replayMatch",
    "resign", "revokeToken", "sendExample", "signOut", "startMatch", "unblockPlayer", "undoMoves",
    "unfollowPlayer", "unlinkDiscord", "unmutePlayer", "unsubscribeBrowser", "voteOnProposal",
}  # fmt: skip
"""Other requests: they write only the id of a player into matches, as `createMatch` does, or only
remove, or fill the queue of a webhook, which ends with it.
"""


@pytest.fixture(autouse=True)
def mail_is_sent(app: Flask, annals: Annals) -> Iterator[None]:
    with sending_mail(app, annals):
        yield


@pytest.fixture(autouse=True)
def lists_are_up_to_date(annals: Annals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_deletion, "pause", lambda _: fold_lists(annals))


@pytest.mark.parametrize("name", REQUESTS)
def test_nothing_of_a_request_in_progress_stays(
    annals: Annals, app: Flask, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    leaving, deleted = _prepare(annals, app, name), list[bool]()

    def delete() -> None:
        deleted.append(True)
        _delete(annals, leaving)

    with monkeypatch.context() as patch:
        interrupt(patch, BETWEEN_WRITES.get(name, 1), delete)
        REQUESTS[name](leaving)
    assert deleted
    _check_nothing_stays(annals, leaving)


def test_nothing_stays_of_requests_before_the_token_ends(
    annals: Annals, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving, end = _prepare(annals, app), annals.players.delete

    def request_first(player: Player, now: int) -> None:
        for name in sorted(REQUESTS, key="renewToken".__eq__):  # last: the token ends with it
            REQUESTS[name](leaving)
        end(annals.players.by_id(player.id) or player, now)

    monkeypatch.setattr(annals.players, "delete", request_first)
    _delete(annals, leaving)
    _check_nothing_stays(annals, leaving)


@pytest.mark.parametrize("path", ["blocks", "follows", "mutes"])
def test_who_names_a_deleted_player_starts_no_deletion(
    annals: Annals, app: Flask, path: str
) -> None:
    """A deletion takes hundreds of commands, and lets all streams look at their tokens again."""
    leaving = _prepare(annals, app)
    _delete(annals, leaving)
    ended = annals.players.revocations
    for verb in "PUT", "DELETE":
        leaving.other(verb, f"/v1/me/{path}/{leaving.api.id}")
    assert annals.players.revocations == ended
    _check_nothing_stays(annals, leaving)


def test_a_request_that_does_not_reach_its_route_asks_for_no_deletion(
    annals: Annals, app: Flask
) -> None:
    api, redis = register(app, "Bob"), annals.store.redis

    def count_questions(query: str) -> int:
        before = redis.info("commandstats").get("cmdstat_hexists", {"calls": 0})["calls"]
        api.put(f"/v1/me/presence{query}", {"shown": False})
        return int(redis.info("commandstats")["cmdstat_hexists"]["calls"] - before)

    assert [count_questions(query) for query in ("", "?no=such")] == [1, 0]


def test_a_failing_redis_hides_no_answer(
    annals: Annals, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither that of a request that has written, nor that of a deletion that can't be repeated."""
    leaving, end = _prepare(annals, app), annals.players.delete
    redis = annals.store.redis

    def break_presence(player: Player, now: int) -> None:
        end(player, now)
        redis.set("presence", "of no use")

    monkeypatch.setattr(annals.players, "delete", break_presence)
    name = leaving.api.get("/v1/me").json["name"]
    with capture_logs() as logs:
        assert leaving.api.delete(f"/v1/me?name={name}").status_code == 204
        redis.set(player_key(leaving.other.id), "of no use")
        assert leaving.other.put(f"{leaving.match}/notes/1", {"text": "A note"}).status_code < 300
    failed = [one["player"] for one in logs if one["event"] == "deletion_not_completed"]
    assert failed == [leaving.api.id, leaving.other.id]


def _prepare(annals: Annals, app: Flask, name: str = "") -> Leaving:
    api, other = (register(app, name) for name in ("Bob", "Cid"))
    stolen = Stolen(api, api, "", "", "w0")
    if name in ("", "rotateSecret", *GIVE_ACCESS):
        stolen = steal(annals, api)
    if name in GIVE_ACCESS:
        return Leaving(stolen, api, other, "", "")
    match = open_table(other, api)
    api.post(f"{match}/talk/players", {"phrase": "hello"})
    return Leaving(stolen, api, other, match, open_table(other))


def _delete(annals: Annals, leaving: Leaving) -> None:
    player = annals.players.by_id(leaving.api.id)
    assert player
    delete_account(annals, player)


def _check_nothing_stays(annals: Annals, leaving: Leaving) -> None:
    fold_lists(annals)
    gone, redis = leaving.api.id, annals.store.redis
    assert remaining_data(annals, gone) == {}
    assert not follows_in(redis).count(leaving.other.id)
    assert not blocks_in(redis).count(leaving.other.id)
    left = [*redis.keys(f"player:{gone}:*"), *redis.keys(f"*{leaving.whole.webhook}*")]
    assert {*left} <= {f"player:{gone}:seeds".encode()}  # counted, so that none comes again
    stored = [annals.players.tokens.find(key.decode()) for key in redis.scan_iter("token:*")]
    assert all(one is None or one.player != gone for one in stored)
    webhooks = [redis.hget(key, "subscription") or b"" for key in redis.scan_iter("{webhook:*}")]
    assert not any(gone.encode() in one for one in webhooks)
    filters = {name for n in range(annals.store.partitions) for name in redis.hkeys(filters_key(n))}
    assert all(redis.exists(f"{{webhook:{name.decode()}}}") for name in filters)
    links = AccountLinks(redis, annals.players)
    assert links.player_id_of(THIEF.id) != gone


def test_each_request_that_writes_is_judged() -> None:
    """The next one, too."""
    named = {
        operation["operationId"]
        for path, verb, operation in OPERATIONS
        if verb != "GET" and not path.startswith("/v1/admin/")
    }
    assert named == WRITE_NOTHING_ABOUT | {name.partition(" ")[0] for name in REQUESTS}
