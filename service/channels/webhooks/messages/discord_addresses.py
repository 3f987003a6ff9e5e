"""Addresses of incoming webhooks of channels in Discord. Whoever knows one can write there."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

from service.runtime.address_guard import Forbidden, is_here, read_url

HOSTS = ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com")
EXPECTED = "Expected `https://discord.com/api/webhooks/\u2026/\u2026`, perhaps with a `thread_id`."
_PATH = re.compile(r"((?:/api(?:/v\d{1,2})?)/webhooks/\d{1,20}/)[A-Za-z0-9_-]{1,200}", re.ASCII)
_ASKED = {"thread_id": re.compile(r"\d{1,20}", re.ASCII), "wait": re.compile(r"true|false")}


def check_incoming(url: str, loopback: bool) -> None:
    """Refuse an address that is not that of an incoming webhook; Forbidden."""
    parts = read_url(url, loopback)
    host = parts.hostname or ""
    asked = parse_qsl(parts.query, keep_blank_values=True)
    is_theirs = host in HOSTS or is_here(host, loopback)
    if not is_theirs or not _PATH.fullmatch(parts.path) or not all(_may_ask(*one) for one in asked):
        raise Forbidden(EXPECTED)


def called(url: str) -> str:
    """The address as it is called: Discord then answers with the message, or with why not."""
    parts = urlsplit(url)
    kept = {name: text for name, text in parse_qsl(parts.query) if name == "thread_id"}
    return parts._replace(query=urlencode({**kept, "wait": "true"})).geturl()


def masked(url: str) -> str:
    """The address without what must not be told."""
    parts = urlsplit(url)
    return parts._replace(path=_PATH.sub(r"\1***", parts.path)).geturl()


def _may_ask(name: str, value: str) -> bool:
    return name in _ASKED and _ASKED[name].fullmatch(value) is not None
