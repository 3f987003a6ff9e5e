"""The cases in conformance/ hold for this service and for the public library."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from redis import Redis
from standardwebhooks import Webhook, WebhookVerificationError

from domain.games import GAMES
from domain.notice_types import NOTICE_TYPES
from service.channels.webhooks.messages.bodies import build_body
from service.channels.webhooks.messages.examples import example_contexts
from service.channels.webhooks.signing import SigningKey, signature_headers
from service.http.problem_codes import STATUS_OF
from service.matches.queries import entry_view
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.service.channels.webhooks.test_every_game import plain
from tests.support.receiver import library_time

FOLDER = Path(__file__).parents[4] / "conformance"
SIGNATURES, MESSAGES, RETRY, REDACTION = (
    json.loads((FOLDER / f"{name}.json").read_text())
    for name in ("signatures", "messages", "retry", "redaction")
)
TOLERANCE_S = 300


def is_accepted(case: Any) -> bool:
    """Whether a receiver accepts a message: for secrets, with the public library."""
    now, headers = case["now"], case["headers"]
    if case["by"] == "key":
        return any(map(_by_key(case), headers["webhook-signature"].split()))
    with library_time(datetime.fromtimestamp(now, UTC)):
        try:
            Webhook(SIGNATURES["secret"]).verify(case["body"], headers)
        except WebhookVerificationError:
            return False
        return True


def _by_key(case: Any) -> Any:
    key = Ed25519PublicKey.from_public_bytes(b64decode(SIGNATURES["key"].removeprefix("whpk_")))
    headers = case["headers"]
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{case['body']}"

    def verifies(signature: str) -> bool:
        kind, _, text = signature.partition(",")
        try:
            key.verify(b64decode(text), content.encode())
        except InvalidSignature:
            return False
        return kind == "v1a"

    return verifies


@pytest.mark.parametrize("case", SIGNATURES["cases"], ids=lambda case: case["why"])
def test_signature_vectors_verify_or_fail(case: Any) -> None:
    assert is_accepted(case) == case["valid"]


def test_our_signatures_equal_the_vectors(redis_client: Redis) -> None:
    case = SIGNATURES["cases"][0]
    headers, key = case["headers"], SigningKey(redis_client)
    at = int(headers["webhook-timestamp"])
    ours = signature_headers(
        headers["webhook-id"], at, case["body"].encode(), [SIGNATURES["secret"]], key
    )
    [by_secret, _] = headers["webhook-signature"].split()
    assert ours["webhook-signature"].split()[0] == by_secret
    assert key.public_key != SIGNATURES["key"]


def test_messages_have_the_documented_members(harness: WebhookHarness) -> None:
    contexts = example_contexts(TOY, NOON)
    assert contexts.keys() == NOTICE_TYPES.keys()
    for name, context in contexts.items():
        body = json.loads(build_body(harness.annals, context))
        assert list(body) == MESSAGES["members"]
        data = body["data"]
        assert list(data) == [*MESSAGES["data"], *MESSAGES["adds"][name]]
        assert (data["seat"] is not None) == (name in MESSAGES["seats"])
        assert list(data.get("entry", MESSAGES["entry"])) == MESSAGES["entry"]


def test_every_problem_has_a_retry_advice() -> None:
    lists = [set(RETRY[name]) for name in ("again", "after_looking", "never")]
    assert set.union(*lists) == set(STATUS_OF)
    assert sum(map(len, lists)) == len(STATUS_OF)
    passing = {code for code, status in STATUS_OF.items() if status in (408, 429, 500, 503)}
    assert set(RETRY["again"]) == passing - {"corrupt"} | {"contended"}


@pytest.mark.parametrize("case", REDACTION["cases"], ids=lambda case: str(case["as"]))
def test_redaction_vectors_match_the_served_entries(harness: WebhookHarness, case: Any) -> None:
    table = record_match(harness)
    entry = table.entries[REDACTION["version"] - 1]
    assert plain(entry_view(table.match, entry, case["as"]))["events"] == case["events"]


def record_match(harness: WebhookHarness) -> RecordedMatch:
    """The match whose entries the cases show."""
    return RecordedMatch(harness.store, "ann bob", game=GAMES[REDACTION["game"]], match="m").play(2)
