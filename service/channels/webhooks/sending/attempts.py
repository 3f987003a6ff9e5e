"""An attempt: one request, and how it is written down."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace

from service.channels.webhooks.messages.formats import Format, Outgoing, Verdict
from service.channels.webhooks.queue.delivery_log import ANSWER_KEPT, Delivery
from service.runtime import metrics
from service.runtime.http_client import Client, NoAnswer


def attempt(
    written: Format, client: Client, outgoing: Outgoing, before: Delivery, now: Callable[[], int]
) -> tuple[Delivery, Verdict]:
    """Send a request once: the delivery as it stands then, and what became of it."""
    began = monotonic()
    code: int | None = None
    text: str | None = None
    try:
        answer = client.post(outgoing.headers, outgoing.body)
        verdict = written.judged(answer)
        code, text = answer.code, _shown(answer.body[:ANSWER_KEPT])
    except NoAnswer as error:
        verdict = Verdict("failed", str(error))
    took = monotonic() - began
    metrics.WEBHOOKS.labels(verdict.what).observe(took)
    after = replace(
        before,
        status="delivered" if verdict.what == "arrived" else "waiting",
        last_at=now(),
        attempts=before.attempts + 1,
        next_try=None,
        code=code,
        answer=text,
        error=verdict.error,
        took_ms=int(1000 * took),
    )
    return after, verdict


def _shown(body: bytes) -> str:
    """What an answer says, in letters that take no more room when they are written down: each
    control character would be six of JSON.
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\ufffd"
        for letter in body.decode(errors="replace")
    )
