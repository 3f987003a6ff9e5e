"""Checks of single values: each returns what is wrong, to follow the name of the setting, or None.

None of them repeats a value, which may be secret.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from service.runtime.redis_urls import is_redis_url

OFF = "off"
CHAINED = re.compile(r"[\w+.-]+::|.*://.*::", re.DOTALL)
"""URLs of fsspec that lead to another URL, such as those of a cache or of a part of an archive."""
FLEETING = ("blockcache", "cached", "data", "filecache", "memory", "simplecache")
"""Schemes of what ends with the process, or can be lost at any time."""
WEB_SCHEMES = ("http://", "https://")
FOLDER_SCHEMES = ("file", "local")
"""Schemes of folders."""
_ATOM, _LABEL = r"[\w!#$%&'*+/=^`{|}~-]+", r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
MAIL_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*", re.ASCII)
"""An address as people have it; no quoted local parts, comments or literals of RFC 5321, and
no `?`, with which a part could look encoded.
"""
MAX_LOCAL_CHARS = 64
MAX_ADDRESS_CHARS = 254
"""The most that SMTP has room for (RFC 5321, 4.5.3.1): before the @, and in all."""
NOT_IN_PUBLIC_URL = set(" @?#\"'<>()\\^`{|}")
"""What could end a URL early in Markdown, HTML or a header, or is no part of an address."""


def redis_url(url: str) -> str | None:
    """Check the URL of a Redis; empty is right."""
    if not url or is_redis_url(url):
        return None
    return (
        "is not the URL of a Redis: expected redis://[:password@]host:port/0,"
        " rediss://... or unix:///path/to.sock"
    )


def web_url(url: str) -> str | None:
    """Check an address for browsers and programs; empty is right."""
    if not url or (url.startswith(WEB_SCHEMES) and _has_host(url)):
        return None
    return "must be http:// or https:// with a host"


def public_url(url: str) -> str | None:
    """Check the address of a service; empty is right."""
    plain = url.isprintable() and not set(url) & NOT_IN_PUBLIC_URL
    if not url or (url.startswith(WEB_SCHEMES) and _has_host(url) and plain):
        return None
    return "must be http:// or https:// with a host, and maybe a port and a path"


def _has_host(url: str) -> bool:
    """Return whether a URL has a host, and a port that can be, if any."""
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")  # raises UnicodeError, a ValueError
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def metrics_address(given: str) -> str | None:
    """Check an address to listen on; `off` and empty are right."""
    try:
        parts = urlsplit(f"//{given}")
        if given in ("", OFF) or (parts.netloc == given and parts.hostname and parts.port):
            return None
    except ValueError:
        pass
    return f"must be a host and a port, such as 127.0.0.1:8001, or {OFF}"


def location(given: str) -> str | None:
    """Check a place for files that must last: a folder, or a URL for fsspec; empty is right."""
    scheme, is_url, path = given.rpartition("://")
    if CHAINED.match(given) or scheme in FLEETING:
        wrong = "a chain of URLs" if CHAINED.match(given) else f"{scheme}://"
        return (
            f"must be a place that lasts, not {wrong}: a folder, or a URL of such a place that"
            " fsspec reaches, such as s3://bucket/annals"
        )
    if is_url and scheme in FOLDER_SCHEMES and path and not path.startswith("/"):
        return f"names no folder of this machine: expected {scheme}:// and a path from /"
    return None


def discord_app(app: str) -> str | None:
    """Check the id of an application; empty is right."""
    if re.fullmatch(r"[0-9]{0,20}", app):
        return None
    return "must be the id of an application, up to 20 digits"


def discord_key(key: str) -> str | None:
    """Check the public key of an application; empty is right."""
    if not key or re.fullmatch(r"[0-9a-fA-F]{64}", key):
        return None
    return "must be a public key: 64 hexadecimal digits"


def discord_api(url: str) -> str | None:
    """Check the address of the Discord API."""
    is_address = re.fullmatch(r"https?://\S+", url) and _has_host(url)
    return None if is_address else "must be http:// or https:// with a host"


def smtp_login(text: str) -> str | None:
    """Check the user or the password of a mail server; empty is right."""
    return None if text.isascii() and (text.isprintable() or not text) else "must be in ASCII"


def mail_address(address: str) -> str | None:
    """Check the address of a person or service for mail; empty is right."""
    local = address.partition("@")[0]
    is_short = len(address) <= MAX_ADDRESS_CHARS and len(local) <= MAX_LOCAL_CHARS
    if not address or (is_short and MAIL_ADDRESS.fullmatch(address)):
        return None
    return "must be an address such as annals@example.com, in ASCII, without a name"


def tlog_origin(origin: str) -> str | None:
    """Check the origin of a log; empty is right."""
    if re.fullmatch(r"[^\s+]{0,200}", origin):
        return None
    return "must be a URL without its scheme, with no space or +"


def tlog_keys(keys: Sequence[str]) -> str | None:
    """Check the keys of a log."""
    if all(re.fullmatch(r"[A-Za-z0-9+/]{43}=", key) for key in keys):
        return None
    return (
        "must be keys of 32 bytes each in base64;"
        " create one with `head -c 32 /dev/urandom | base64`"
    )
