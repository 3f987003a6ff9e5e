"""What can be set from outside: one record, read from the environment."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

T = TypeVar("T")
MANY = 1_000_000_000
LONGEST_SOCKET_PATH = 100  # the kernel allows 104 to 108 bytes
SHORT_FOLDER = Path(f"/tmp/annals-{os.getuid()}")  # noqa: S108 - only its owner may enter
OFF = "off"
ANALYSED = ("asked", "people", "all")
ACKNOWLEDGED = ("server", "replica")
LEVELS = ("debug", "info", "warning", "error")


class BadSetting(ValueError):
    """A setting that cannot be understood; the message is for the person who set it."""


def setting(name: str, default: T, least: float = 0, most: float = MANY) -> T:
    """A field that is read from the environment variable `name`."""
    limits = {"name": name, "least": least, "most": most}
    read: T = field(default=default, metadata=limits, repr=not name.endswith(("_TOKEN", "_KEYS")))
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; docs/operations.md has the table."""

    port: int = setting("ANNALS_PORT", 8000, 1, 65535)
    host: str = setting("ANNALS_HOST", "127.0.0.1")
    data: Path = setting("ANNALS_DATA", Path("var"))  # noqa: RUF009 - it makes a field
    redis_url: str = setting("REDIS_URL", "")
    events_url: str = setting("EVENTS_REDIS_URL", "")
    queue_url: str = setting("QUEUE_REDIS_URL", "")
    partitions: int = setting("ANNALS_PARTITIONS", 16, 1, 1024)
    acknowledge: str = setting("ANNALS_ACKNOWLEDGE", "server")
    workers: int = setting("ANNALS_WORKERS", 2, 1, 64)
    web_processes: int = setting("ANNALS_WEB_PROCESSES", 2, 1, 64)
    beforehand: int = setting("ANNALS_BEFOREHAND", 1, 0, 1)
    request_seconds: float = setting("ANNALS_REQUEST_SECONDS", 15.0, 0.1, 3600)
    idle_seconds: float = setting("ANNALS_IDLE_SECONDS", 75.0, 0.1, 3600)
    slow_seconds: float = setting("ANNALS_SLOW_SECONDS", 15.0, 0.1, 3600)
    max_streams: int = setting("ANNALS_MAX_STREAMS", 5000, 0, 100_000)
    streams_each: int = setting("ANNALS_STREAMS_EACH", 16, 0, 100_000)
    streams_address: int = setting("ANNALS_STREAMS_ADDRESS", 1000, 0, 100_000)
    body_limit: int = setting("ANNALS_BODY_LIMIT", 65536, 1024)
    rate: int = setting("ANNALS_RATE", 6000)
    rate_address: int = setting("ANNALS_RATE_ADDRESS", 12000)
    registrations: int = setting("ANNALS_REGISTRATIONS", 60)
    recoveries: int = setting("ANNALS_RECOVERIES", 20)
    rename_days: float = setting("ANNALS_RENAME_DAYS", 30.0)
    painters: int = setting("ANNALS_PAINTERS", 1, 1, 64)
    picture_rate: int = setting("ANNALS_PICTURE_RATE", 300)
    picture_queue: int = setting("ANNALS_PICTURE_QUEUE", 16, 1, 200)
    picture_mb: int = setting("ANNALS_PICTURE_MB", 64, 0, 65536)
    statistics_rate: int = setting("ANNALS_STATISTICS_RATE", 60)
    statistics_matches: int = setting("ANNALS_STATISTICS_MATCHES", 100_000, 0)
    max_tables: int = setting("ANNALS_MAX_TABLES", 1000)
    max_bot_tables: int = setting("ANNALS_MAX_BOT_TABLES", 20)
    proxies: int = setting("ANNALS_PROXIES", 0, 0, 16)
    cors_origins: tuple[str, ...] = setting("ANNALS_CORS_ORIGINS", ("*",))
    bot_seconds: float = setting("ANNALS_BOT_SECONDS", 2.0, 0.05, 60)
    thinking_seconds: float = setting("ANNALS_THINKING_SECONDS", 120.0)
    lobby_hours: float = setting("ANNALS_LOBBY_HOURS", 168.0)
    log_level: str = setting("ANNALS_LOG_LEVEL", "info")
    tokens_cache_seconds: float = setting("ANNALS_TOKENS_CACHE_SECONDS", 30.0)
    metrics: str = setting("ANNALS_METRICS", "")
    reserve_mb: int = setting("ANNALS_RESERVE_MB", 64)
    archive_days: float = setting("ANNALS_ARCHIVE_DAYS", 0.0)
    archive: str = setting("ANNALS_ARCHIVE", "")
    export: str = setting("ANNALS_EXPORT", "")
    export_web: str = setting("ANNALS_EXPORT_URL", "")
    public_url: str = setting("ANNALS_PUBLIC_URL", "")
    analyse: str = setting("ANNALS_ANALYSE", "asked")
    analyses: int = setting("ANNALS_ANALYSES", 60)
    webhooks: int = setting("ANNALS_WEBHOOKS", 10, 0, 1000)
    webhooks_loopback: int = setting("ANNALS_WEBHOOKS_LOOPBACK", 0, 0, 1)
    webhook_asks: int = setting("ANNALS_WEBHOOK_ASKS", 60)
    webhook_senders: int = setting("ANNALS_WEBHOOK_SENDERS", 32, 1, 256)
    tlog: str = setting("ANNALS_TLOG", "")
    tlog_origin: str = setting("ANNALS_TLOG_ORIGIN", "")
    tlog_keys: tuple[str, ...] = setting("ANNALS_TLOG_KEYS", ())
    tlog_witnesses: tuple[str, ...] = setting("ANNALS_TLOG_WITNESSES", ())
    discord_app: str = setting("ANNALS_DISCORD_APP", "")
    discord_key: str = setting("ANNALS_DISCORD_KEY", "")
    discord_token: str = setting("ANNALS_DISCORD_TOKEN", "")
    discord_rate: int = setting("ANNALS_DISCORD_RATE", 120)
    discord_api: str = setting("ANNALS_DISCORD_API", "https://discord.com/api/v10")

    @property
    def own_url(self) -> str:
        """Where people and programs find this service, without a slash at the end."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    def page_of(self, match: str) -> str | None:
        """Where people find a match, if it is known how the service is found from outside."""
        return f"{self.own_url}/matches/{match}" if self.public_url else None

    @property
    def tlog_folder(self) -> Path | None:
        """Where the transparency log is; None if there is none."""
        if self.tlog == OFF:
            return None
        return Path(self.tlog).expanduser().absolute() if self.tlog else self.data / "tlog"

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Where metrics are served, a host and a port; None for nowhere."""
        if self.metrics == OFF:
            return None
        parts = urlsplit(f"//{self.metrics or f'127.0.0.1:{self.port + 1}'}")
        return parts.hostname or "", parts.port or 0

    @property
    def owns_redis(self) -> bool:
        """Whether no Redis is named for the events, so that ours must keep them."""
        return not self.redis_url and self.events_url == own_redis(self.data)

    @property
    def owns_queue(self) -> bool:
        """Whether no Redis is named for the job queues, so that they are in one of ours."""
        return self.queue_url == own_queue(self.data)

    def named_by(self, url: str) -> str:
        """The setting that names one of the two Redis in use; empty if it is our own."""
        return {  # of several, the last one
            self.queue_url: "QUEUE_REDIS_URL",
            self.events_url: "EVENTS_REDIS_URL",
            own_redis(self.data): "",
            own_queue(self.data): "",
            self.redis_url: "REDIS_URL",
        }[url]


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings in this environment, with every URL worked out."""
    given: dict[str, Any] = {}
    for one in fields(Settings):
        if raw := environ.get(one.metadata["name"], "").strip():
            given[one.name] = read(raw, one)
    settings = check(Settings(**given))
    data = settings.data.expanduser().absolute()
    shared = settings.redis_url
    if settings.acknowledge == "replica" and not (settings.events_url or shared):
        raise BadSetting(
            "ANNALS_ACKNOWLEDGE=replica takes a Redis that has replicas, which our own has not:"
            " name one with EVENTS_REDIS_URL."
        )
    return replace(
        settings,
        data=data,
        events_url=settings.events_url or shared or own_redis(data),
        queue_url=no_cluster(settings.queue_url or shared or own_queue(data)),
    )


def no_cluster(url: str) -> str:
    """The same URL, if the job queues can be there."""
    if is_cluster(url):
        raise BadSetting(
            "QUEUE_REDIS_URL must be set to a Redis that is no cluster: queues need it."
        )
    return url


def read(raw: str, one: Field[Any]) -> object:
    """One value, of the type of its default."""
    kind: Any = type(one.default)
    if kind is tuple:
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if kind in (int, float):
        return number(raw, kind, **one.metadata)
    return kind(raw)


def number(raw: str, kind: type[int] | type[float], name: str, least: float, most: float) -> float:
    """A number within the bounds of its setting."""
    try:
        value = kind(raw)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise BadSetting(f"{name} must be {what}, not {raw!r}.") from None
    if not least <= value <= most:
        bounds = f"at least {least}" if most == MANY else f"from {least} to {most}"
        raise BadSetting(f"{name} must be {bounds}, not {raw}.")
    return value


def check(settings: Settings) -> Settings:
    """The same settings, if they go together."""
    for one in fields(Settings):
        if one.name.endswith("_url") and one.name != "public_url":
            check_url(one.metadata["name"], getattr(settings, one.name))
    check_word("ANNALS_ACKNOWLEDGE", settings.acknowledge, ACKNOWLEDGED)
    check_word("ANNALS_LOG_LEVEL", settings.log_level, LEVELS)
    check_word("ANNALS_ANALYSE", settings.analyse, ANALYSED)
    check_discord(settings)
    check_tlog(settings)
    if not is_metrics(settings.metrics):
        raise BadSetting(f"ANNALS_METRICS must be a host and a port, as 127.0.0.1:8001, or {OFF}.")
    shown = {"ANNALS_PUBLIC_URL": settings.public_url, "ANNALS_EXPORT_URL": settings.export_web}
    for name, url in shown.items():
        if url and not url.startswith(("http://", "https://")):
            raise BadSetting(f"{name} must begin with http:// or https://.")
    return settings


def check_word(name: str, word: str, words: Sequence[str]) -> None:
    """Refuse a word that is none of these."""
    if word not in words:
        raise BadSetting(f"{name} must be one of {', '.join(words)}.")


def check_discord(settings: Settings) -> None:
    """Refuse what no application of Discord has; never repeats the token."""
    app, key = settings.discord_app, settings.discord_key
    if bool(app) != bool(key):
        raise BadSetting("ANNALS_DISCORD_APP and ANNALS_DISCORD_KEY go together.")
    if app and not re.fullmatch(r"[0-9]{1,20}", app):
        raise BadSetting("ANNALS_DISCORD_APP must be the id of an application, up to 20 digits.")
    if key and not re.fullmatch(r"[0-9a-fA-F]{64}", key):
        raise BadSetting("ANNALS_DISCORD_KEY must be a public key: 64 hexadecimal digits.")
    if not re.fullmatch(r"https?://\S+", settings.discord_api):
        raise BadSetting("ANNALS_DISCORD_API must begin with https:// or http://.")


def check_tlog(settings: Settings) -> None:
    """Refuse what no log can have; never repeats a key."""
    if not re.fullmatch(r"[^\s+]{0,200}", settings.tlog_origin):
        raise BadSetting("ANNALS_TLOG_ORIGIN must be a URL without its scheme, with no space or +.")
    if not all(re.fullmatch(r"[A-Za-z0-9+/]{43}=", key) for key in settings.tlog_keys):
        raise BadSetting(
            "ANNALS_TLOG_KEYS must be keys of 32 bytes each, in base64:"
            " `head -c 32 /dev/urandom | base64` makes one."
        )


def check_url(name: str, url: str) -> None:
    """Refuse what is no address of a Redis; never repeats a password."""
    if url and not is_address(url):
        raise BadSetting(
            f"{name} is not the URL of a Redis: expected redis://[:password@]host:port/0,"
            " rediss://... or unix:///path/to.sock."
        )


def is_address(url: str) -> bool:
    """Whether this has the form of a Redis URL."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            return bool(parts.path.strip("/"))
        hosts = parts.netloc.rpartition("@")[2].split(",")
        enough = len(hosts) == 1 or is_cluster(url)
        return parts.scheme in ("redis", "rediss") and enough and all(map(is_server, hosts))
    except ValueError:
        return False


def is_server(given: str) -> bool:
    """Whether this is a host, with a port or without; ValueError if it is no port."""
    parts = urlsplit(f"//{given}")
    return bool(parts.hostname) and parts.port != 0


def is_cluster(url: str) -> bool:
    """Whether the URL of a Redis says that it is a cluster."""
    return "cluster=true" in urlsplit(url).query.split("&")


def is_metrics(given: str) -> bool:
    """Whether this names an address to listen on, or says that there is none."""
    try:
        parts = urlsplit(f"//{given}")
        return given in ("", OFF) or (parts.netloc == given and bool(parts.hostname and parts.port))
    except ValueError:
        return False


def own_redis(data: Path) -> str:
    """Where the Redis of `annals run` listens for this data folder, or will listen."""
    return f"unix://{quote(str(socket_of(data / 'redis')))}"


def own_queue(data: Path) -> str:
    """Where the Redis of the job queues of `annals run` listens, or will listen."""
    return f"unix://{quote(str(socket_of(data / 'queue')))}"


def socket_of(folder: Path) -> Path:
    """The socket of the Redis whose folder this is.

    It follows from where the folder lies, so that a copy is never taken for the original. Where the
    path would be too long for a socket, it is in a folder of the user's for temporary things.
    """
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:24]
    return SHORT_FOLDER / f"{name}.sock"
