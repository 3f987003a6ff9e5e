"""Subscriptions that are changed by several at the same time."""

from __future__ import annotations

import pytest

from service.channels.webhooks.subscriptions import Subscription, key_of
from service.runtime.errors import NotFound
from tests.service.channels.webhooks.conftest import Desk, changed


def subscribed(desk: Desk) -> Subscription:
    return desk.subscribe(desk.player("Ann"), "https://example.com/")


def test_a_secret_that_is_new_meanwhile_is_kept(desk: Desk) -> None:
    hook, fresh = subscribed(desk), []

    def slowly(before: Subscription) -> Subscription:
        if not fresh:
            fresh.append(desk.subscriptions.rotate(hook.id, desk.now))
        return changed(before, url="https://example.org/")

    after = desk.subscriptions.change(hook.id, slowly)
    assert desk.subscriptions.known(hook.id).subscription == after
    assert (after.url, after.secrets[0].text) == ("https://example.org/", fresh[0])


def test_what_was_removed_meanwhile_stays_so(desk: Desk) -> None:
    hook = subscribed(desk)

    def slowly(before: Subscription) -> Subscription:
        desk.subscriptions.remove(hook.player, hook.id)
        return changed(before, url="https://example.org/")

    with pytest.raises(NotFound):
        desk.subscriptions.change(hook.id, slowly)
    assert not desk.store.redis.exists(key_of(hook.id))


def test_nothing_is_noted_of_what_is_only_half_there(desk: Desk) -> None:
    hook = subscribed(desk)
    desk.store.redis.hdel(key_of(hook.id), "as")
    desk.subscriptions.note(hook.id, failures=1, error=None)
    assert not desk.store.redis.exists(key_of(hook.id))


def test_an_equal_wish_is_not_written_again(desk: Desk) -> None:
    hook, redis = subscribed(desk), desk.store.redis

    def changes() -> list[bytes | None]:
        return [redis.get(key) for key in sorted(redis.keys("*:wishes:changes"))]

    before = changes()
    desk.subscriptions.change(hook.id, lambda one: changed(one, url="https://example.org/"))
    assert changes() == before
    desk.subscriptions.change(hook.id, lambda one: changed(one, my_turn=True))
    assert changes() != before
