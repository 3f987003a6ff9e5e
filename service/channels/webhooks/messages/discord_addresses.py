"""URLs of incoming webhooks of Discord channels. A URL contains a token: it permits to post."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

from service.runtime.address_guard import BlockedAddress, is_this_machine, parse_url

HOSTS = ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com")
URL_RULE = "Expected `https://discord.com/api/webhooks/\u2026/\u2026`, with or without `thread_id`."
_PATH = re.compile(r"((?:/api(?:/v\d{1,2})?)/webhooks/\d{1,20}/)[A-Za-z0-9_-]{1,200}", re.ASCII)
_QUERY_PARAMETERS = {
    "thread_id": re.compile(r"\d{1,20}", re.ASCII),
    "wait": re.compile(r"true|false"),
}


def check_webhook_url(url: str, loopback: bool) -> None:
    """Raise BlockedAddress unless the URL is that of an incoming webhook of Discord."""
    parts = parse_url(url, loopback)
    host = parts.hostname or ""
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    is_discord = host in HOSTS or is_this_machine(host, loopback)
    if (
        not is_discord
        or not _PATH.fullmatch(parts.path)
        or not all(_is_allowed_parameter(*one) for one in parameters)
    ):
        raise BlockedAddress(URL_RULE)


def request_url(url: str) -> str:
    """Return the URL to send to; `wait=true` makes Discord answer with the message or with an
    error.
    """
    parts = urlsplit(url)
    thread = {name: text for name, text in parse_qsl(parts.query) if name == "thread_id"}
    return parts._replace(query=urlencode({**thread, "wait": "true"})).geturl()


def mask_token(url: str) -> str:
    """Return the URL with its token replaced by asterisks."""
    parts = urlsplit(url)
    return parts._replace(path=_PATH.sub(r"\1***", parts.path)).geturl()


def _is_allowed_parameter(name: str, value: str) -> bool:
    return name in _QUERY_PARAMETERS and _QUERY_PARAMETERS[name].fullmatch(value) is not None
