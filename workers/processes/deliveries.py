"""The process that sends webhooks: each job hands a subscription to a thread.

A receiver may take ten seconds to answer, so jobs do not wait: threads send, each for one
subscription, and a job waits only while all threads are busy. If a thread is killed, its unsent
notices are still in the outbox.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from os import environ
from threading import BoundedSemaphore, Event, Lock, Thread, current_thread

import structlog

from service.channels.webhooks.messages.discord_format import DiscordFormat
from service.channels.webhooks.messages.formats import Format, StandardFormat
from service.channels.webhooks.sending.sender import Sender
from service.channels.webhooks.signing import SigningKey
from service.channels.webhooks.subscriptions import Subscriptions
from service.drawing.pictures.cache import PictureCache
from service.matches.container import open_annals
from service.runtime.logs import is_redis_error
from service.runtime.settings import Settings, read_settings

THREAD_WAIT_S = 30.0
"""How long a job waits for a thread; afterwards the subscription is dispatched again."""
SLICE_S = 2.0
"""How long a thread serves one subscription while other jobs wait."""
NICE = 10
"""Niceness of the process: moves come before webhooks."""
STOP_S = 2.0
"""How long threads have to finish their request at shutdown."""
log = structlog.get_logger()


class SenderThreads:
    """A bounded number of threads, each for one subscription."""

    def __init__(self, max_threads: int) -> None:
        self._free = BoundedSemaphore(max_threads)
        self._waiting = 0
        self._stopping = Event()
        self._running: set[Thread] = set()
        self._lock = Lock()

    def run(self, work: Callable[[Callable[[], bool]], None]) -> bool:
        """Run work in a thread, with a function that says whether it may continue.

        Returns False if no thread becomes free.
        """
        self._waiting += 1
        free = self._free.acquire(timeout=THREAD_WAIT_S)
        self._waiting -= 1
        if free:
            thread = Thread(target=self._run, args=(work,), daemon=True, name="send")
            with self._lock:
                self._running.add(thread)
            thread.start()
        return free

    def stop(self) -> None:
        """Let all threads finish their request, within STOP_S."""
        self._stopping.set()
        until = time.monotonic() + STOP_S
        with self._lock:
            running = list(self._running)
        for thread in running:
            thread.join(max(0.0, until - time.monotonic()))

    def _run(self, work: Callable[[Callable[[], bool]], None]) -> None:
        try:
            work(partial(self._may_continue, time.monotonic() + SLICE_S))
        except Exception as error:
            (log.warning if is_redis_error(error) else log.error)(
                "webhook_sender_failed", exc_info=error
            )
        finally:
            self._free.release()
            with self._lock:
                self._running.discard(current_thread())

    def _may_continue(self, until: float) -> bool:
        return not self._stopping.is_set() and (not self._waiting or time.monotonic() < until)


def deliver(name: str) -> None:
    """Send what is due for a subscription, in a thread; a job."""
    threads().run(partial(_sender().send_due, name))


@cache
def threads() -> SenderThreads:
    """Return the threads of this process."""
    return SenderThreads(_settings().webhook_senders)


def open_sender() -> None:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
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
        "standard": StandardFormat(annals, SigningKey(store.redis)),
        "discord": DiscordFormat(annals, _gallery(annals.settings)),
    }
    return Sender(annals, subscriptions, formats)


def _gallery(settings: Settings) -> PictureCache:
    """Pictures for all threads; each may wait for one."""
    return PictureCache(1, 2 * settings.webhook_senders, settings.picture_mb * 1_000_000)
