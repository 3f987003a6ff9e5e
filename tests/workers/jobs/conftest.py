"""A service that sends mail, and its SMTP server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tests.support.mail_server import Mail, mail_server
from tests.workers.jobs.mailing import Post


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Mail, int]]:
    with mail_server() as found:
        yield found


@pytest.fixture
def post(redis_client: Redis, redis_url: str, server: tuple[Mail, int]) -> Post:
    mail, port = server
    mail.taken.clear()
    mail.refused.clear()
    mail.ends_at, mail.knows_recipients = "", True
    return Post(redis_client, redis_url, mail, port)
