"""`annals doctor` says whether browsers can get push messages."""

from __future__ import annotations

from dataclasses import replace

from redis import Redis

from service.accounts.house import House
from service.channels.push.vapid import VAPID_KEY, VapidKey
from service.runtime.settings import Settings
from workers.tools.doctor.finding import Finding, Patient
from workers.tools.doctor.push import check_push

PUBLIC = Settings(public_url="https://annals.example")


def check(settings: Settings, redis: Redis | None = None) -> Finding:
    [found] = check_push(Patient(settings, redis, House()))
    assert (found.level == "ok") == (found.cure == "")
    return found


def test_each_thing_that_push_messages_need(redis_client: Redis) -> None:
    assert "need a public address" in check(replace(PUBLIC, public_url="")).text
    assert "want https, not http" in check(replace(PUBLIC, public_url="http://x.example")).text
    home = replace(PUBLIC, public_url="http://localhost:8000", webhooks_loopback=1)
    assert check(home).level == "ok"
    assert "no process sends" in check(replace(PUBLIC, webhooks=0)).text
    assert "they make the key" in check(PUBLIC, redis_client).text
    assert redis_client.get(VAPID_KEY) is None, "nothing is changed"
    key = VapidKey(redis_client).public_key
    assert key in check(PUBLIC, redis_client).text
    redis_client.set(VAPID_KEY, "*")
    assert "damaged" in check(PUBLIC, redis_client).text
