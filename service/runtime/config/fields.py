"""The settings: one record each, from which parsing, checks, defaults and docs follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from service.runtime.config import checks
from service.runtime.config.record import Setting, setting
from service.runtime.config.server_fields import ServerFields


# fmt: off
@dataclass(frozen=True, slots=True, kw_only=True)
class SettingFields(ServerFields):
    """All settings, in the order of docs/settings.md; `make tables` writes them there."""

    request_seconds: float = setting(
        "ANNALS_REQUEST_SECONDS", 15.0, 0.1, 3600,
        about="time to send a whole request; then the connection closes, and half a request gets "
        "408",
    )
    idle_seconds: float = setting(
        "ANNALS_IDLE_SECONDS", 75.0, 0.1, 3600,
        about="time that a connection may wait before its next request; set it longer than your "
        "proxy keeps connections",
    )
    slow_seconds: float = setting(
        "ANNALS_SLOW_SECONDS", 15.0, 0.1, 3600,
        about="time that a connection may not read what it receives",
    )
    max_streams: int = setting(
        "ANNALS_MAX_STREAMS", 5000, 0, 100_000, small=1000,
        about="open streams per web process; more get 503 with `Retry-After`",
    )
    streams_per_caller: int = setting(
        "ANNALS_STREAMS_PER_CALLER", 16, 0, 100_000,
        about="open streams per web process and caller; more get 429 with `Retry-After`",
    )
    streams_per_address: int = setting(
        "ANNALS_STREAMS_PER_ADDRESS", 1000, 0, 100_000,
        about="open streams per web process and address, of all its callers together; more get "
        "429; keep it below `ANNALS_MAX_STREAMS`, so one address can't take all",
    )
    body_limit: int = setting(
        "ANNALS_BODY_LIMIT", 65536, 1024,
        about="largest request body in bytes; a larger one gets 413",
    )
    rate: int = setting(
        "ANNALS_RATE", 6000,
        about="requests per minute, caller and web process; 0 turns it off",
    )
    rate_per_address: int = setting(
        "ANNALS_RATE_PER_ADDRESS", 12000,
        about="requests per minute, address and web process, of all its callers together; 0 turns "
        "it off",
    )
    processor_seconds: int = setting(
        "ANNALS_PROCESSOR_SECONDS", 12,
        about="how many seconds a minute requests of one address may keep a web process busy; "
        "further ones wait up to 5 s each, then get 429; 0 turns it off",
    )
    registrations: int = setting(
        "ANNALS_REGISTRATIONS", 60,
        about="new players per hour and address; 0 turns it off",
    )
    recoveries: int = setting(
        "ANNALS_RECOVERIES", 20,
        about="attempts with recovery codes per hour and address; 0 turns it off",
    )
    rename_days: float = setting(
        "ANNALS_RENAME_DAYS", 30.0,
        about="days before a player can change their name again; 0 turns it off",
    )
    painters: int = setting(
        "ANNALS_PAINTERS", 1, 1, 64,
        about="processes per web process that render pictures, some 40 MB each; one starts with "
        "the web process, others when pictures wait",
    )
    picture_rate: int = setting(
        "ANNALS_PICTURE_RATE", 300,
        about="pictures per minute, address and web process that need rendering; 0 turns it off",
    )
    picture_queue: int = setting(
        "ANNALS_PICTURE_QUEUE", 16, 1, 200,
        about="pictures that may wait per web process, half of them from one address; more get 503",
    )
    picture_mb: int = setting(
        "ANNALS_PICTURE_MB", 64, 0, 65536, small=8, large=256,
        about="memory per web process for recently rendered pictures, in millions of bytes",
    )
    statistics_rate: int = setting(
        "ANNALS_STATISTICS_RATE", 60,
        about="queries about finished matches per minute, address and web process that need "
        "computing or have a large response; 0 turns it off",
    )
    hint_rate: int = setting(
        "ANNALS_HINT_RATE", 30,
        about="hints against bots per minute, address and web process; 0 turns the limit off",
    )
    statistics_mb: int = setting(
        "ANNALS_STATISTICS_MB", 100, 0, 65536, small=16, large=400,
        about="memory per web process for the facts of finished matches in such queries, in "
        "millions of bytes, for 1,000 matches each",
    )
    history_mb: int = setting(
        "ANNALS_HISTORY_MB", 32, 0, 65536, small=8, large=128,
        about="memory per web process for recent exports, histories of undos, and points over "
        "matches, in millions of bytes; the export of an average match takes some 100 kB",
    )
    match_mb: int = setting(
        "ANNALS_MATCH_MB", 64, 1, 65536, small=16, large=160,
        about="memory of each process for recently used matches, in millions of bytes; an average "
        "over the games: Hansa Teutonica takes half as much again",
    )
    cache_mb: int = setting(
        "ANNALS_CACHE_MB", 16, 1, 65536, small=4, large=48,
        about="memory of each process for small things that it caches, such as names, tokens and "
        "addresses of callers, summaries of matches and results of the explorer, in millions of "
        "bytes ([Caches](hosting.md#caches))",
    )
    process_mb: int = setting(
        "ANNALS_PROCESS_MB", 450, 0, 65536, small=200, large=1200,
        about="memory of its own that a process of `annals run` may take, in millions of bytes; a "
        "process that takes more finishes its current work and is replaced; only on Linux; 0 turns "
        "it off ([Memory under load](hosting.md#memory-under-load))",
    )
    max_tables: int = setting(
        "ANNALS_MAX_TABLES", 1000,
        about="open and active tables of one host; more get 409; 0 turns it off",
    )
    max_bot_tables: int = setting(
        "ANNALS_MAX_BOT_TABLES", 20,
        about="active matches of one host in which only bots decide; above it, new tables with "
        "bots get 409, and so do starts with bots on free seats; 0 turns it off",
    )
    proxies: int = setting(
        "ANNALS_PROXIES", 0, 0, 16,
        about="trusted proxies in front: Annals believes this many addresses of `X-Forwarded-For`, "
        "from the right",
    )
    cors_origins: tuple[str, ...] = setting(
        "ANNALS_CORS_ORIGINS", ("*",),
        about="web pages that may call the service, comma-separated",
    )
    bot_seconds: float = setting(
        "ANNALS_BOT_SECONDS", 2.0, 0.05, 60,
        about="time for a move of the strongest bot",
    )
    bot_quota_seconds: float = setting(
        "ANNALS_BOT_QUOTA_SECONDS", 120.0,
        about="the bot quota: how long the bots in the matches of one host may think per minute; "
        "more waits for the next minute; 0 turns it off",
    )
    lobby_hours: float = setting(
        "ANNALS_LOBBY_HOURS", 168.0,
        about="time after which Annals aborts a match that no player joined",
    )
    idle_days: float = setting(
        "ANNALS_IDLE_DAYS", 14.0,
        about="days without an action of its only player after which a match against bots, or of "
        "one person, ends unrated; not with a clock; for tables opened from now on; 0 turns it off",
    )
    idle_guest_days: float = setting(
        "ANNALS_IDLE_GUEST_DAYS", 3.0,
        about="the same for tables that a guest opened; 0 turns it off",
    )
    patience_days: int = setting(
        "ANNALS_PATIENCE_DAYS", 14, 0, 90,
        about="days for which the players of a match without a clock wait for another one before "
        "they may vote how to go on, unless the table has its own; for tables opened from now on; "
        "0 leaves it to the tables",
    )
    pause_days: float = setting(
        "ANNALS_PAUSE_DAYS", 7.0,
        about="days after which a paused match resumes by itself; for pauses from now on; 0 turns "
        "pauses off",
    )
    log_level: str = setting(
        "ANNALS_LOG_LEVEL", "info", words=("debug", "info", "warning", "error"),
        about="lowest level that processes log: `debug`, `info`, `warning` or `error`",
    )
    log_mb: int = setting(
        "ANNALS_LOG_MB", 30, 3,
        about="how much of its log each process of `annals run` keeps, in MB; a third is in the"
        " current file. A request takes some 240 bytes",
    )
    tokens_cache_seconds: float = setting(
        "ANNALS_TOKENS_CACHE_SECONDS", 30.0,
        about="how long a process caches tokens, player names and the name of the service",
    )
    metrics: str = setting(
        "ANNALS_METRICS", "", check=checks.metrics_address,
        about="where to serve [metrics](operations.md#metrics): a host and a port, or `off`; "
        "without it, `127.0.0.1` and the port after `ANNALS_PORT`",
    )
    disk_reserve_mb: int = setting(
        "ANNALS_DISK_RESERVE_MB", 64,
        about="`annals run` stops recording while less than this is free on the disk of the data",
    )
    backup: str = setting(
        "ANNALS_BACKUP", "", check=checks.location,
        about="where Annals keeps [backups](backup.md#backups-by-themselves): an existing "
        "folder, or a URL that fsspec reaches, of a place that lasts; without it nowhere",
    )
    backup_hours: float = setting("ANNALS_BACKUP_HOURS", 24.0, 0.1, about="hours between backups")
    backup_keep: int = setting(
        "ANNALS_BACKUP_KEEP", 7, 1, 1000,
        about="how many backups to keep: of the newest, and of the newest of each day and of each "
        "week",
    )
    alert_url: str = setting(
        "ANNALS_ALERT_URL", "", check=checks.web_url, secret=True,
        about="where to send an alert as JSON when a backup fails, and when backups work again, "
        "such as the address of a webhook of Slack or Discord",
    )
    archive_days: float = setting(
        "ANNALS_ARCHIVE_DAYS", 0.0,
        about="days after its end at which a match moves to the [archive](archive.md), once a day; "
        "0 turns it off",
    )
    archive: str = setting(
        "ANNALS_ARCHIVE", "", check=checks.location,
        about="where the archive is: a folder, or a URL that fsspec reaches; without it, "
        "`archive/` with the data",
    )
    export: str = setting(
        "ANNALS_EXPORT", "", check=checks.location,
        about="where Annals keeps [tables](tables.md) of finished public matches up to date, once "
        "a day: a folder, or a URL that fsspec reaches; without it nowhere",
    )
    export_url: str = setting(
        "ANNALS_EXPORT_URL", "", check=checks.web_url,
        about="where others find these tables: `GET /v1/analytics/tables` returns it with the list "
        "of their files; serve the folder there, or open the bucket",
    )
    public_url: str = setting(
        "ANNALS_PUBLIC_URL", "", check=checks.public_url,
        about="your service's address from outside, such as `https://annals.example.com`; webhooks "
        "and Discord messages name it and link to the page of the match",
    )
    analysis_scope: str = setting(
        "ANNALS_ANALYSIS_SCOPE", "requested", words=("requested", "people", "all"),
        about="which matches Annals [analyses](analytics.md): those that a client `requested`, all "
        "public ones with `people`, or `all` public ones; an analysis takes some seconds of "
        "a processor, at the lowest priority",
    )
    analyses_per_hour: int = setting(
        "ANNALS_ANALYSES_PER_HOUR", 60,
        about="new [analyses](analytics.md) per hour and address; more get 429; 0 turns it off",
    )
    webhooks: int = setting(
        "ANNALS_WEBHOOKS", 10, 0, 1000,
        about="webhooks of one player; more get 409; 0 turns webhooks off",
    )
    webhook_audience: int = setting(
        "ANNALS_WEBHOOK_AUDIENCE", 50,
        about="webhooks that receive all matches, and webhooks that receive one match, a tenth of "
        "them (at least one) from one address; more get 409; 0 turns it off",
    )
    webhooks_loopback: int = setting(
        "ANNALS_WEBHOOKS_LOOPBACK", 0, 0, 1,
        about="1 lets webhooks call this machine itself, by `http` too: for tests and at home",
    )
    webhook_rate: int = setting(
        "ANNALS_WEBHOOK_RATE", 60,
        about="pings, examples, recoveries, replays and redeliveries per minute, caller and web "
        "process; more get 429; 0 turns it off",
    )
    talk_rate: int = setting(
        "ANNALS_TALK_RATE", 10,
        about="messages at tables per minute, player and web process, and three times as many per "
        "address; more get 429; 0 turns it off",
    )
    talk_after_hours: float = setting(
        "ANNALS_TALK_AFTER_HOURS", 24.0, 0, 8760,
        about="age of an account that may write in its own words; newer ones and guests have "
        "phrases",
    )
    webhook_senders: int = setting(
        "ANNALS_WEBHOOK_SENDERS", 32, 1, 256, small=8,
        about="concurrent deliveries per process that sends",
    )
    tlog: str = setting(
        "ANNALS_TLOG", "",
        about="the folder of [the transparency log](log.md), or `off`; without it, `tlog/` with "
        "the data",
    )
    tlog_origin: str = setting(
        "ANNALS_TLOG_ORIGIN", "", check=checks.tlog_origin,
        about="the origin of a new log: a URL without its scheme; without it, `ANNALS_PUBLIC_URL` "
        "with `/v1/log`",
    )
    tlog_keys: tuple[str, ...] = setting(
        "ANNALS_TLOG_KEYS", (), check=checks.tlog_keys, secret=True,
        about="the keys that sign it, 32 bytes in base64 each, comma-separated: secrets, never "
        "logged; without it, Annals creates one in the folder",
    )
    tlog_witnesses: tuple[str, ...] = setting(
        "ANNALS_TLOG_WITNESSES", (),
        about="the [witnesses](how-to/operate-the-log.md#add-witnesses) that sign its checkpoints: "
        "for each its key, a space, its URL; comma-separated",
    )
    discord_app: str = setting(
        "ANNALS_DISCORD_APP", "", check=checks.discord_app,
        about="the id of the [Discord](discord.md) application; without it Discord is off",
    )
    discord_key: str = setting(
        "ANNALS_DISCORD_KEY", "", check=checks.discord_key,
        about="its public key, 64 hexadecimal digits",
    )
    discord_token: str = setting(
        "ANNALS_DISCORD_TOKEN", "", secret=True,
        about="the token of its bot: a secret, never logged; without it the bot only answers",
    )
    discord_rate: int = setting(
        "ANNALS_DISCORD_RATE", 120,
        about="commands and clicks of a Discord user, per minute and web process; 0 turns it off",
    )
    discord_api: str = setting(
        "ANNALS_DISCORD_API", "https://discord.com/api/v10", check=checks.discord_api,
        about="address of the Discord API; another one for tests",
    )
    smtp_host: str = setting(
        "ANNALS_SMTP_HOST", "",
        about="the server that sends [e-mail](how-to/set-up-mail.md); without it, e-mail is off",
    )
    smtp_port: int = setting(
        "ANNALS_SMTP_PORT", 587, 1, 65535,
        about="its port",
    )
    smtp_security: str = setting(
        "ANNALS_SMTP_SECURITY", "starttls", words=("starttls", "tls", "none"),
        about="how the connection is encrypted: after a command, as at port 587, from its start "
        "with `tls`, as at port 465, or not",
    )
    smtp_user: str = setting(
        "ANNALS_SMTP_USER", "", check=checks.smtp_login,
        about="the account there; without it, Annals does not sign in",
    )
    smtp_password: str = setting(
        "ANNALS_SMTP_PASSWORD", "", check=checks.smtp_login, secret=True,
        about="its password: a secret, never logged",
    )
    mail_from: str = setting(
        "ANNALS_MAIL_FROM", "", check=checks.mail_address,
        about="the sender of all mail, such as `annals@example.com`",
    )

# fmt: on

SETTINGS: Mapping[str, Setting] = {it.name: it.metadata["setting"] for it in fields(SettingFields)}
"""The record of each setting, by field."""
