"""All settings, read from the environment and `annals.conf`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from service.runtime.config.checks import OFF
from service.runtime.config.fields import SETTINGS, SettingFields
from service.runtime.config.record import UNLIMITED, Setting
from service.runtime.config.record import BadSetting as BadSetting
from service.runtime.config.sources import SourcedText, find_given
from service.runtime.config.texts import absolute_path
from service.runtime.redis_urls import is_cluster, own_queue_url, own_redis_url

MAX_PORT = 65535
RUN_VARIABLE = "_ANNALS_RUN"
"""The environment variable with the id of a run of `annals run`; no setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(SettingFields):
    """All settings, and what follows from them."""

    @property
    def base_url(self) -> str:
        """The URL of this service for people and programs, without a trailing slash."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def tlog_folder(self) -> Path | None:
        """The folder of the transparency log; None if the log is off."""
        if self.tlog == OFF:
            return None
        return absolute_path(self.tlog) if self.tlog else self.data / "tlog"

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port where metrics are served; None if they are off."""
        if self.metrics == OFF:
            return None
        parts = urlsplit(f"//{self.metrics or f'127.0.0.1:{self.port + 1}'}")
        return parts.hostname or "", parts.port or 0

    @property
    def owns_redis(self) -> bool:
        """Whether the service runs its own Redis for the events."""
        return not self.redis_url and self.events_url == own_redis_url(self.data)

    @property
    def has_deliveries(self) -> bool:
        """Whether a process sends webhooks or mail."""
        return bool(self.webhooks or self.smtp_host)

    @property
    def owns_queue(self) -> bool:
        """Whether the service runs its own Redis for the job queues."""
        return self.queue_url == own_queue_url(self.data)

    def setting_of(self, url: str) -> str:
        """Return the setting that names this Redis; empty if it is the service's own."""
        return {  # if several are equal, the last one counts
            self.queue_url: "QUEUE_REDIS_URL",
            self.events_url: "EVENTS_REDIS_URL",
            own_redis_url(self.data): "",
            own_queue_url(self.data): "",
            self.redis_url: "REDIS_URL",
        }[url]


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Return the settings of this environment and its `annals.conf`, with every URL filled in.
    Raises BadSetting.
    """
    return build_settings(find_given(environ))


def build_settings(given: Mapping[str, SourcedText]) -> Settings:
    """Return the settings with these values, by field, and defaults. Raises BadSetting."""
    return complete_settings(_parse(tuple(given.items())))


@lru_cache(1)
def _parse(given: tuple[tuple[str, SourcedText], ...]) -> Settings:
    """Return the settings with these values, which forks of this process then share."""
    texts = {field: one.text for field, one in given}
    size = texts.get("size", SETTINGS["size"].default)
    values: dict[str, Any] = {
        field: one.by_size[size] for field, one in SETTINGS.items() if size in one.by_size
    }
    values |= {field: parse_value(text, SETTINGS[field]) for field, text in texts.items()}
    return check_settings(Settings(**values))


def complete_settings(settings: Settings) -> Settings:
    """Return the settings with the URL of every Redis, and the whole path of the data. Raises
    BadSetting if there can be no such Redis.
    """
    data = absolute_path(str(settings.data))
    shared = settings.redis_url
    if settings.acknowledge == "replica" and not (settings.events_url or shared):
        raise BadSetting(
            "ANNALS_ACKNOWLEDGE=replica needs a Redis with replicas, and `annals run` starts none:"
            " name one with EVENTS_REDIS_URL."
        )
    return replace(
        settings,
        data=data,
        events_url=settings.events_url or shared or own_redis_url(data),
        queue_url=require_single_server(settings.queue_url or shared or own_queue_url(data)),
    )


def require_single_server(url: str) -> str:
    """Return the URL. Raises BadSetting if it names a cluster, which cannot hold the job queues."""
    if is_cluster(url):
        raise BadSetting(
            "QUEUE_REDIS_URL must name a single Redis, because job queues cannot use a cluster."
        )
    return url


def parse_value(text: str, one: Setting) -> object:
    """Parse a value as the type of the setting's default. Raises BadSetting."""
    kind: Any = type(one.default)
    if kind is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind in (int, float):
        return parse_number(text, kind, one)
    return kind(text)


def parse_number(text: str, kind: type[int] | type[float], one: Setting) -> float:
    """Parse a number. Raises BadSetting if it is outside the bounds of its setting."""
    try:
        value = kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise BadSetting(f"{one.name} must be {what}, not {text!r}.") from None
    if not one.minimum <= value <= one.maximum:
        bounds = (
            f"at least {one.minimum}"
            if one.maximum == UNLIMITED
            else f"from {one.minimum} to {one.maximum}"
        )
        raise BadSetting(f"{one.name} must be {bounds}, not {text}.")
    return value


def check_settings(settings: Settings) -> Settings:
    """Return the settings. Raises BadSetting if they are invalid or contradict each other."""
    for field, one in SETTINGS.items():
        value = getattr(settings, field)
        if one.words and value not in one.words:
            raise BadSetting(f"{one.name} must be one of {', '.join(one.words)}.")
        if wrong := one.check(value):
            raise BadSetting(f"{one.name} {wrong}.")
    _check_channels(settings)
    if settings.port == MAX_PORT and not settings.metrics:
        raise BadSetting(f"Set ANNALS_METRICS: there is no port after {MAX_PORT}.")
    if settings.metrics_address == (settings.host, settings.port):
        raise BadSetting("ANNALS_METRICS needs another port than ANNALS_PORT.")
    return settings


def _check_channels(settings: Settings) -> None:
    if bool(settings.discord_app) != bool(settings.discord_key):
        raise BadSetting("Set both ANNALS_DISCORD_APP and ANNALS_DISCORD_KEY, or neither.")
    if settings.smtp_host and not settings.mail_from:
        raise BadSetting("Set ANNALS_MAIL_FROM: mail needs a sender.")
    if bool(settings.smtp_user) != bool(settings.smtp_password):
        raise BadSetting("Set both ANNALS_SMTP_USER and ANNALS_SMTP_PASSWORD, or neither.")
