"""Webhooks are sent here: work for a subscription becomes a job, and the job a thread.

A receiver may take ten seconds for an answer, so no job waits for one: threads do, each for one
subscription, and only when all are taken the next job waits for one of them. What a thread that was
killed did not send is found in the outbox again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from os import environ
from threading import BoundedSemaphore, Event, Lock, Thread, current_thread

import structlog

from service.channels.webhooks.messages.discord_format import Channel
from service.channels.webhooks.messages.formats import Format, Standard
from service.channels.webhooks.sending.sender import Sender
from service.channels.webhooks.signing import SigningKey
from service.channels.webhooks.subscriptions import Subscriptions
from service.drawing.pictures.cache import Gallery
from service.matches.container import open_annals
from service.runtime.logs import of_redis
from service.runtime.settings import Settings, read_settings

FREE_S = 30.0
"""How long a job waits for a thread; then it is handed out again."""
SLICE_S = 2.0
"""How long one subscription is worked for while jobs wait for a thread."""
NICE = 10
"""The priority of who sends: moves do not wait for messages."""
STOP_S = 2.0
"""How long threads have to end what they are sending, once all is to stop."""
log = structlog.get_logger()


class Threads:
    """As many threads as may send at a time, each for one subscription."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)
        self._waiting = 0
        self._stopping = Event()
        self._running: set[Thread] = set()
        self._lock = Lock()

    def run(self, work: Callable[[Callable[[], bool]], None]) -> bool:
        """Have some work done, which is told whether it may go on; False if no thread gets free."""
        self._waiting += 1
        free = self._free.acquire(timeout=FREE_S)
        self._waiting -= 1
        if free:
            thread = Thread(target=self._do, args=(work,), daemon=True, name="send")
            with self._lock:
                self._running.add(thread)
            thread.start()
        return free

    def stop(self) -> None:
        """Let all end what they are at, as far as that takes but a moment."""
        self._stopping.set()
        until = time.monotonic() + STOP_S
        with self._lock:
            running = list(self._running)
        for thread in running:
            thread.join(max(0.0, until - time.monotonic()))

    def _do(self, work: Callable[[Callable[[], bool]], None]) -> None:
        try:
            work(partial(self._goes_on, time.monotonic() + SLICE_S))
        except Exception as error:
            (log.warning if of_redis(error) else log.error)("cannot_send", exc_info=error)
        finally:
            self._free.release()
            with self._lock:
                self._running.discard(current_thread())

    def _goes_on(self, until: float) -> bool:
        return not self._stopping.is_set() and (not self._waiting or time.monotonic() < until)


def deliver(name: str) -> None:
    """The job: have a thread send what is due for a subscription."""
    threads().run(partial(_sender().work, name))


@cache
def threads() -> Threads:
    """The threads of this process."""
    return Threads(_settings().webhook_senders)


def open_sender() -> None:
    """Open the event store now, not with the first job; BadSetting if it cannot be used."""
    _sender()


@cache
def _settings() -> Settings:
    return read_settings(environ)


@cache
def _sender() -> Sender:
    annals = open_annals(_settings())
    store = annals.store
    subscriptions = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
    formats: Mapping[str, Format] = {
        "standard": Standard(annals, SigningKey(store.redis)),
        "discord": Channel(annals, _gallery(annals.settings)),
    }
    return Sender(annals, subscriptions, formats)


def _gallery(settings: Settings) -> Gallery:
    """Pictures for all threads: each may wait for one."""
    return Gallery(1, 2 * settings.webhook_senders, settings.picture_mb * 1_000_000)
