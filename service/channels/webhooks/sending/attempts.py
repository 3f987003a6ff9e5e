"""One attempt to deliver a message, and its record."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace

from service.channels.webhooks.messages.formats import DeliveryAttempt, Format, Outcome
from service.channels.webhooks.queue.delivery_log import MAX_ANSWER_BYTES, Delivery
from service.runtime import metrics
from service.runtime.http_client import Client, RequestError


def send_attempt(
    message_format: Format,
    client: Client,
    attempt: DeliveryAttempt,
    before: Delivery,
    now: Callable[[], int],
) -> tuple[Delivery, Outcome]:
    """Send a request once; return the updated delivery and the outcome."""
    started_at = monotonic()
    code: int | None = None
    text: str | None = None
    try:
        answer = client.post(attempt.headers, attempt.body)
        outcome = message_format.outcome_of(answer)
        code, text = answer.code, _printable(answer.body[:MAX_ANSWER_BYTES])
    except RequestError as error:
        outcome = Outcome("failed", str(error))
    duration_s = monotonic() - started_at
    metrics.WEBHOOKS.labels(outcome.kind).observe(duration_s)
    after = replace(
        before,
        status="delivered" if outcome.kind == "delivered" else "waiting",
        last_at=now(),
        attempts=before.attempts + 1,
        next_attempt_at=None,
        response_code=code,
        response_body=text,
        error=outcome.error,
        duration_ms=int(1000 * duration_s),
    )
    return after, outcome


def _printable(body: bytes) -> str:
    """Return the text of a response without control characters, each of which takes six bytes in
    JSON.
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\ufffd"
        for letter in body.decode(errors="replace")
    )
