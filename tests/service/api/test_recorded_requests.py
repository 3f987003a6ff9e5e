"""Once a request is recorded, a failing Redis does not fail its answer: after a 503, nothing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import pytest
from flask import Flask
from redis.connection import AbstractConnection
from redis.exceptions import ResponseError
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from service.accounts.players import NAMES_KEY
from service.http.responses import list_responses
from service.matches.container import Annals
from tests.service.api.conftest import Api, open_table, register
from tests.service.api.test_scopes import OPERATIONS

TABLE = {"game": "toy", "seats": [{"me": True}, {"open": True}]}
ROOMY = {"game": "toy", "seats": [{"me": True}, {"open": True}, {"open": True}]}
MAX_COMMANDS = 1_000
Request = Callable[[], TestResponse]


class Scene(NamedTuple):
    """People who ask for something."""

    app: Flask
    annals: Annals
    host: Api
    guest: Api
    operator: Api

    def match(self) -> str:
        """The address of a match between host and guest."""
        return open_table(self.host, self.guest)

    def webhook(self) -> str:
        """The address of a webhook of the host."""
        created = self.host.post("/v1/webhooks", {"url": "https://example.com/hook"})
        return f"/v1/webhooks/{created.json['id']}"

    def count_records(self) -> tuple[int, ...]:
        """How many entries, names, tokens, webhooks, messages to them, and lines there are."""
        store, tokens = self.annals.store, self.annals.players.tokens
        keys = [*map(store.redis.keys, ("{webhook:*}", "*:resend-requests", "*:talk:players:*"))]
        return (
            sum(map(store.feed_length, range(store.partitions))),
            store.redis.zcard(NAMES_KEY),
            len(tokens.of_player(self.host.id)),
            len(keys[0]),
            sum(map(store.redis.llen, keys[1])),
            sum(store.redis.hlen(key) for key in keys[2] if not key.endswith(b":changes")),
        )


def leave_seat(scene: Scene) -> Request:
    table = scene.host.post("/v1/matches", ROOMY).headers["Location"]
    scene.guest.post(f"{table}/seats", {"seat": 1})
    return partial(scene.guest.delete, f"{table}/seats/1")


def end_match(scene: Scene) -> Request:
    path = scene.match().replace("/v1/", "/v1/admin/")
    return partial(scene.operator.post, f"{path}/close", {"reason": "fault"})


REQUESTS: Mapping[str, Callable[[Scene], Request]] = {
    "closeMatch": lambda one: partial(one.host.delete, open_table(one.host)),
    "createMatch": lambda one: partial(one.host.post, "/v1/matches", TABLE),
    "deleteWebhook": lambda one: partial(one.host.delete, one.webhook()),
    "endMatch": end_match,
    "leaveSeat": leave_seat,
    "pingWebhook": lambda one: partial(one.host.post, f"{one.webhook()}/ping"),
    "registerPlayer": lambda one: partial(
        Api(one.app).post, "/v1/players", {"name": f"Z{one.host.id}"}
    ),
    "resign": lambda one: partial(one.host.post, f"{one.match()}/resign"),
    "say": lambda one: partial(one.host.post, f"{one.match()}/talk/players", {"phrase": "hello"}),
    "takeSeat": lambda one: partial(one.guest.post, f"{open_table(one.host)}/seats"),
}
SAME_CODE = {
    "createMatch": {"beginLesson", "forkMatch"},
    "pingWebhook": {"recoverWebhook", "redeliverMessage", "replayMatch", "sendExample"},
    "resign": {
        "answerUndo", "declineInvitation", "giveTime", "keepMatch", "makeMove", "openNonce",
        "reclaimSeats", "redoMoves", "startMatch", "undoMoves", "voteOnProposal",
    },
}  # fmt: skip
"""Requests that record as one of these does, and do nothing more."""
CHECKED_AFTERWARDS = {
    "createRecoveryCodes", "createSessionCode", "createToken", "createWebhook", "linkDiscord",
    "recoverAccount", "renewToken", "signIn",
}  # fmt: skip
"""Requests that give access, whose answer waits until it is known that no thief got it."""
REPEATABLE = {
    "banPlayer", "changeMyName", "deleteMe", "dismissReport", "liftBan", "makeBackup", "playAgain",
    "previewMove", "previewMoveSvg", "receiveDiscordEvent", "receiveDiscordInteraction",
    "removeMessage", "removeMyMail", "removeNote", "removePlan", "replaceTokens", "reportMessage",
    "revokeToken", "rotateSecret", "signOut", "subscribeBrowser", "unblockPlayer", "unfollowPlayer",
    "unlinkDiscord", "unmuteEverywhere", "unmutePlayer", "unsubscribeBrowser",
}  # fmt: skip
"""Requests that record last, or that can be sent again."""


@pytest.mark.parametrize("name", REQUESTS)
def test_after_a_503_nothing_is_recorded(
    annals: Annals, app: Flask, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Redis refuses the last command of the request, then the last two, and so on."""
    monkeypatch.setattr(list_responses, "CATCH_UP_S", 0)
    sent = _send(_scene(app, annals, 0), monkeypatch, name, MAX_COMMANDS)[1]
    for left_out in range(1, sent + 1):
        scene = _scene(app, annals, left_out)
        with capture_logs():
            answer, _ = _send(scene, monkeypatch, name, sent - left_out)
        if answer.status_code == 503:
            break
        assert answer.status_code < 300, (left_out, answer.text)
    assert answer.status_code == 503


def _scene(app: Flask, annals: Annals, number: int) -> Scene:
    people = [register(app, f"{who} {number}") for who in ("Ann", "Bob", "Opal")]
    app.extensions["annals"].operators.add(people[2].id)
    for one in people:
        one.get("/v1/me")  # the process knows their tokens
    return Scene(app, annals, *people)


def _send(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> tuple[TestResponse, int]:
    """Send a request, of whose commands Redis accepts a number; return the answer, and how many
    there were. After a 503, nothing is recorded.
    """
    request, send, numbers = REQUESTS[name](scene), AbstractConnection.send_packed_command, count()
    before = scene.count_records()

    def send_or_fail(self: Any, *packed: Any, **options: Any) -> Any:
        if next(numbers) >= most:
            raise ResponseError("broken")
        return send(self, *packed, **options)

    with monkeypatch.context() as patch:
        patch.setattr(AbstractConnection, "send_packed_command", send_or_fail)
        answer = request()
    assert (scene.count_records() == before) == (answer.status_code == 503), (most, answer.text)
    return answer, next(numbers)


def test_each_request_that_records_is_judged() -> None:
    """The next one, too; PUT and PATCH can be sent again."""
    named = {
        operation["operationId"] for _, verb, operation in OPERATIONS if verb in ("POST", "DELETE")
    }
    same = {one for names in SAME_CODE.values() for one in names}
    assert named == {*REQUESTS} | same | CHECKED_AFTERWARDS | REPEATABLE
