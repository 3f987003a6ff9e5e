"""All settings: one record, read from environment variables."""

import hashlib
import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

T = TypeVar("T")
UNLIMITED = 1_000_000_000
MAX_SOCKET_PATH_BYTES = 100  # the kernel allows 104 to 108 bytes
SOCKET_FOLDER = Path(f"/tmp/annals-{os.getuid()}")  # noqa: S108 - only its owner may enter
OFF = "off"
CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much processor time a container may use, and in what time."""


def count_cores() -> int:
    """Return how many processors this process may use, at least 2."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    quota, _, period = (CPU_QUOTA.read_text() if CPU_QUOTA.is_file() else "max").partition(" ")
    if quota.isdigit():
        cores = min(cores, math.ceil(int(quota) / int(period)))
    return max(2, min(64, cores))


CORES = count_cores()
ANALYSIS_SCOPES = ("requested", "people", "all")
ACKNOWLEDGERS = ("server", "replica")
SIZES: Mapping[str, Mapping[str, int]] = {
    "small": {
        "web_processes": 1, "workers": 1, "warm_up": 0, "max_streams": 1000,
        "picture_mb": 8, "statistics_mb": 16, "match_mb": 16, "process_mb": 128,
        "webhook_senders": 8,
    },
    "medium": {},
    "large": {
        "web_processes": CORES, "workers": CORES,
        "picture_mb": 256, "statistics_mb": 400, "match_mb": 160, "process_mb": 1000,
    },
}  # fmt: skip
"""Defaults of other settings, by ANNALS_SIZE."""
LOG_LEVELS = ("debug", "info", "warning", "error")
REDIS_URLS = ("redis_url", "events_url", "queue_url")
NEW_NAMES = {
    "ANNALS_ANALYSE": "ANNALS_ANALYSIS_SCOPE",
    "ANNALS_ANALYSES": "ANNALS_ANALYSES_PER_HOUR",
    "ANNALS_BEFOREHAND": "ANNALS_WARM_UP",
    "ANNALS_RATE_ADDRESS": "ANNALS_RATE_PER_ADDRESS",
    "ANNALS_RESERVE_MB": "ANNALS_DISK_RESERVE_MB",
    "ANNALS_STREAMS_ADDRESS": "ANNALS_STREAMS_PER_ADDRESS",
    "ANNALS_STREAMS_EACH": "ANNALS_STREAMS_PER_CALLER",
    "ANNALS_STATISTICS_MATCHES": "ANNALS_STATISTICS_MB, with 1 for every 1,000 matches",
    "ANNALS_THINKING_SECONDS": "ANNALS_BOT_QUOTA_SECONDS",
    "ANNALS_WEBHOOK_ASKS": "ANNALS_WEBHOOK_RATE",
}
"""Settings whose old names are refused."""


class BadSetting(ValueError):
    """A setting is invalid; the message is a sentence for the operator."""


def setting(name: str, default: T, minimum: float = 0, maximum: float = UNLIMITED) -> T:
    """Return a dataclass field that is read from the environment variable `name`."""
    limits = {"name": name, "minimum": minimum, "maximum": maximum}
    read: T = field(default=default, metadata=limits, repr=not name.endswith(("_TOKEN", "_KEYS")))
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; docs/settings.md describes them."""

    port: int = setting("ANNALS_PORT", 8000, 1, 65535)
    host: str = setting("ANNALS_HOST", "127.0.0.1")
    data: Path = setting("ANNALS_DATA", Path("var"))  # noqa: RUF009 - it makes a field
    redis_url: str = setting("REDIS_URL", "")
    events_url: str = setting("EVENTS_REDIS_URL", "")
    queue_url: str = setting("QUEUE_REDIS_URL", "")
    partitions: int = setting("ANNALS_PARTITIONS", 16, 1, 1024)
    acknowledge: str = setting("ANNALS_ACKNOWLEDGE", "server")
    size: str = setting("ANNALS_SIZE", "medium")
    workers: int = setting("ANNALS_WORKERS", 2, 1, 64)
    web_processes: int = setting("ANNALS_WEB_PROCESSES", 2, 1, 64)
    warm_up: int = setting("ANNALS_WARM_UP", 1, 0, 1)
    request_seconds: float = setting("ANNALS_REQUEST_SECONDS", 15.0, 0.1, 3600)
    idle_seconds: float = setting("ANNALS_IDLE_SECONDS", 75.0, 0.1, 3600)
    slow_seconds: float = setting("ANNALS_SLOW_SECONDS", 15.0, 0.1, 3600)
    max_streams: int = setting("ANNALS_MAX_STREAMS", 5000, 0, 100_000)
    streams_per_caller: int = setting("ANNALS_STREAMS_PER_CALLER", 16, 0, 100_000)
    streams_per_address: int = setting("ANNALS_STREAMS_PER_ADDRESS", 1000, 0, 100_000)
    body_limit: int = setting("ANNALS_BODY_LIMIT", 65536, 1024)
    rate: int = setting("ANNALS_RATE", 6000)
    rate_per_address: int = setting("ANNALS_RATE_PER_ADDRESS", 12000)
    registrations: int = setting("ANNALS_REGISTRATIONS", 60)
    recoveries: int = setting("ANNALS_RECOVERIES", 20)
    rename_days: float = setting("ANNALS_RENAME_DAYS", 30.0)
    painters: int = setting("ANNALS_PAINTERS", 1, 1, 64)
    picture_rate: int = setting("ANNALS_PICTURE_RATE", 300)
    picture_queue: int = setting("ANNALS_PICTURE_QUEUE", 16, 1, 200)
    picture_mb: int = setting("ANNALS_PICTURE_MB", 64, 0, 65536)
    statistics_rate: int = setting("ANNALS_STATISTICS_RATE", 60)
    statistics_mb: int = setting("ANNALS_STATISTICS_MB", 100, 0, 65536)
    match_mb: int = setting("ANNALS_MATCH_MB", 64, 1, 65536)
    process_mb: int = setting("ANNALS_PROCESS_MB", 300, 0, 65536)
    max_tables: int = setting("ANNALS_MAX_TABLES", 1000)
    max_bot_tables: int = setting("ANNALS_MAX_BOT_TABLES", 20)
    proxies: int = setting("ANNALS_PROXIES", 0, 0, 16)
    cors_origins: tuple[str, ...] = setting("ANNALS_CORS_ORIGINS", ("*",))
    bot_seconds: float = setting("ANNALS_BOT_SECONDS", 2.0, 0.05, 60)
    bot_quota_seconds: float = setting("ANNALS_BOT_QUOTA_SECONDS", 120.0)
    lobby_hours: float = setting("ANNALS_LOBBY_HOURS", 168.0)
    log_level: str = setting("ANNALS_LOG_LEVEL", "info")
    tokens_cache_seconds: float = setting("ANNALS_TOKENS_CACHE_SECONDS", 30.0)
    metrics: str = setting("ANNALS_METRICS", "")
    disk_reserve_mb: int = setting("ANNALS_DISK_RESERVE_MB", 64)
    archive_days: float = setting("ANNALS_ARCHIVE_DAYS", 0.0)
    archive: str = setting("ANNALS_ARCHIVE", "")
    export: str = setting("ANNALS_EXPORT", "")
    export_url: str = setting("ANNALS_EXPORT_URL", "")
    public_url: str = setting("ANNALS_PUBLIC_URL", "")
    analysis_scope: str = setting("ANNALS_ANALYSIS_SCOPE", "requested")
    analyses_per_hour: int = setting("ANNALS_ANALYSES_PER_HOUR", 60)
    webhooks: int = setting("ANNALS_WEBHOOKS", 10, 0, 1000)
    webhooks_loopback: int = setting("ANNALS_WEBHOOKS_LOOPBACK", 0, 0, 1)
    webhook_rate: int = setting("ANNALS_WEBHOOK_RATE", 60)
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
    def base_url(self) -> str:
        """The URL of this service for people and programs, without a trailing slash."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    def match_url(self, match: str) -> str | None:
        """Return the URL of the page of a match; None if the public URL is not set."""
        return f"{self.base_url}/matches/{match}" if self.public_url else None

    @property
    def tlog_folder(self) -> Path | None:
        """The folder of the transparency log; None if the log is off."""
        if self.tlog == OFF:
            return None
        return Path(self.tlog).expanduser().absolute() if self.tlog else self.data / "tlog"

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
    """Return the settings of this environment, with every URL filled in."""
    for old, new in NEW_NAMES.items():
        if environ.get(old):
            raise BadSetting(f"{old} is now called {new}.")
    size = environ.get("ANNALS_SIZE", "").strip() or "medium"
    check_word("ANNALS_SIZE", size, tuple(SIZES))
    given: dict[str, Any] = {**SIZES[size]}
    for one in fields(Settings):
        if raw := environ.get(one.metadata["name"], "").strip():
            given[one.name] = parse_value(raw, one)
    settings = check_settings(Settings(**given))
    data = settings.data.expanduser().absolute()
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


def parse_value(raw: str, one: Field[Any]) -> object:
    """Parse a value as the type of the field's default."""
    kind: Any = type(one.default)
    if kind is tuple:
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if kind in (int, float):
        return parse_number(raw, kind, **one.metadata)
    return kind(raw)


def parse_number(
    raw: str, kind: type[int] | type[float], name: str, minimum: float, maximum: float
) -> float:
    """Parse a number. Raises BadSetting if it is outside the bounds of its setting."""
    try:
        value = kind(raw)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise BadSetting(f"{name} must be {what}, not {raw!r}.") from None
    if not minimum <= value <= maximum:
        bounds = f"at least {minimum}" if maximum == UNLIMITED else f"from {minimum} to {maximum}"
        raise BadSetting(f"{name} must be {bounds}, not {raw}.")
    return value


def check_settings(settings: Settings) -> Settings:
    """Return the settings. Raises BadSetting if they are invalid or contradict each other."""
    for one in fields(Settings):
        if one.name in REDIS_URLS:
            check_url(one.metadata["name"], getattr(settings, one.name))
    check_word("ANNALS_ACKNOWLEDGE", settings.acknowledge, ACKNOWLEDGERS)
    check_word("ANNALS_LOG_LEVEL", settings.log_level, LOG_LEVELS)
    check_word("ANNALS_ANALYSIS_SCOPE", settings.analysis_scope, ANALYSIS_SCOPES)
    check_discord(settings)
    check_tlog(settings)
    if not is_metrics_address(settings.metrics):
        raise BadSetting(
            f"ANNALS_METRICS must be a host and a port, such as 127.0.0.1:8001, or {OFF}."
        )
    shown = {"ANNALS_PUBLIC_URL": settings.public_url, "ANNALS_EXPORT_URL": settings.export_url}
    for name, url in shown.items():
        if url and not url.startswith(("http://", "https://")):
            raise BadSetting(f"{name} must begin with http:// or https://.")
    return settings


def check_word(name: str, word: str, words: Sequence[str]) -> None:
    """Raise BadSetting if the word is not one of these."""
    if word not in words:
        raise BadSetting(f"{name} must be one of {', '.join(words)}.")


def check_discord(settings: Settings) -> None:
    """Raise BadSetting if the Discord settings are invalid; never repeats the token."""
    app, key = settings.discord_app, settings.discord_key
    if bool(app) != bool(key):
        raise BadSetting("Set both ANNALS_DISCORD_APP and ANNALS_DISCORD_KEY, or neither.")
    if app and not re.fullmatch(r"[0-9]{1,20}", app):
        raise BadSetting("ANNALS_DISCORD_APP must be the id of an application, up to 20 digits.")
    if key and not re.fullmatch(r"[0-9a-fA-F]{64}", key):
        raise BadSetting("ANNALS_DISCORD_KEY must be a public key: 64 hexadecimal digits.")
    if not re.fullmatch(r"https?://\S+", settings.discord_api):
        raise BadSetting("ANNALS_DISCORD_API must begin with https:// or http://.")


def check_tlog(settings: Settings) -> None:
    """Raise BadSetting if the settings of the log are invalid; never repeats a key."""
    if not re.fullmatch(r"[^\s+]{0,200}", settings.tlog_origin):
        raise BadSetting("ANNALS_TLOG_ORIGIN must be a URL without its scheme, with no space or +.")
    if not all(re.fullmatch(r"[A-Za-z0-9+/]{43}=", key) for key in settings.tlog_keys):
        raise BadSetting(
            "ANNALS_TLOG_KEYS must be keys of 32 bytes each in base64;"
            " create one with `head -c 32 /dev/urandom | base64`."
        )


def check_url(name: str, url: str) -> None:
    """Raise BadSetting if this is not the URL of a Redis; never repeats a password."""
    if url and not is_redis_url(url):
        raise BadSetting(
            f"{name} is not the URL of a Redis: expected redis://[:password@]host:port/0,"
            " rediss://... or unix:///path/to.sock."
        )


def is_redis_url(url: str) -> bool:
    """Return whether this has the form of a Redis URL."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            return bool(parts.path.strip("/"))
        hosts = parts.netloc.rpartition("@")[2].split(",")
        enough = len(hosts) == 1 or is_cluster(url)
        return parts.scheme in ("redis", "rediss") and enough and all(map(is_host, hosts))
    except ValueError:
        return False


def is_host(given: str) -> bool:
    """Return whether this is a host with an optional port. Raises ValueError if the port is
    invalid.
    """
    parts = urlsplit(f"//{given}")
    return bool(parts.hostname) and parts.port != 0


def is_cluster(url: str) -> bool:
    """Return whether the URL of a Redis names a cluster."""
    return "cluster=true" in urlsplit(url).query.split("&")


def is_metrics_address(given: str) -> bool:
    """Return whether this is an address to listen on, empty, or `off`."""
    try:
        parts = urlsplit(f"//{given}")
        return given in ("", OFF) or (parts.netloc == given and bool(parts.hostname and parts.port))
    except ValueError:
        return False


def own_redis_url(data: Path) -> str:
    """Return the URL of the Redis for events that `annals run` starts for this data folder."""
    return f"unix://{quote(str(socket_path(data / 'redis')))}"


def own_queue_url(data: Path) -> str:
    """Return the URL of the Redis for job queues that `annals run` starts for this data folder."""
    return f"unix://{quote(str(socket_path(data / 'queue')))}"


def socket_path(folder: Path) -> Path:
    """Return the path of the socket of the Redis in this folder.

    The path follows from the folder's, so a copy is never mistaken for the original. If the path is
    too long for a socket, the socket is in a temporary folder of the user.
    """
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES:
        return path
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:24]
    return SOCKET_FOLDER / f"{name}.sock"
