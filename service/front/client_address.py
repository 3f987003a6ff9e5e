"""The address of a client, as the trusted proxies report it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from werkzeug.http import parse_list_header


def client_address(scope: MutableMapping[str, Any], proxies: int) -> str | None:
    """Return the address that sent a request, or None if it is unknown; ProxyFix does the same for
    Flask.
    """
    forwarded = _forwarded_for(scope) if proxies else ""
    hops = _listed(forwarded)
    if len(hops) >= proxies > 0 and hops[-proxies]:
        return hops[-proxies]
    return scope["client"][0] if scope["client"] else None


def _listed(forwarded: str) -> list[str]:
    """Return the addresses of a header; mostly it has one."""
    is_list = "," in forwarded or '"' in forwarded
    return parse_list_header(forwarded) if is_list else [forwarded.strip()]


def _forwarded_for(scope: MutableMapping[str, Any]) -> str:
    found = (value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return b",".join(found).decode("latin-1")
