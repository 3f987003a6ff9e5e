"""Which addresses may be called: those of the public internet, and nothing behind our own door."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address

LONGEST = 2_000
SPECIAL = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
        ),
    )
)  # fmt: skip
"""Special ranges (IANA's registries). Of IPv6 only what is given out, 2000::/3, is public at all:
so mapped and translated IPv4 addresses, SRv6, local and multicast ones are none.
"""
GIVEN_OUT = ip_network("2000::/3")
_PRINTED = re.compile(r"[\x21-\x7e]+")
_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?")  # fmt: skip # noqa: E501
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$")


class Forbidden(ValueError):
    """An address that we do not call; the message says why."""


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet."""
    if isinstance(address, IPv6Address) and address not in GIVEN_OUT:
        return False
    return not any(address in net for net in SPECIAL if net.version == address.version)


def must_be_callable(addresses: Sequence[Address], loopback: bool) -> None:
    """Refuse to call a host if one of its addresses is not public; with `loopback`, this machine
    itself may be called, too. Forbidden, which does not tell the address: it may be of a network
    that is ours alone.
    """
    for address in addresses:
        if not (is_public(address) or (loopback and address.is_loopback)):
            raise Forbidden("It has an address outside the public internet.")


def read_url(url: str, loopback: bool) -> SplitResult:
    """The parts of a URL that may be called, as far as it tells itself; Forbidden."""
    if len(url) > LONGEST or not _PRINTED.fullmatch(url) or "\\" in url:
        raise Forbidden(f"A URL has at most {LONGEST} printable ASCII characters, no backslash.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("This is not a URL.") from None
    if parts.scheme not in ("https", "http") or port == 0 or not parts.hostname:
        raise Forbidden("Expected `https://`, a host and perhaps a port and a path.")
    if "@" in parts.netloc or "#" in url:
        raise Forbidden("A URL has neither a name and password nor a fragment here.")
    _check_host(parts, loopback)
    return parts


def _check_host(parts: SplitResult, loopback: bool) -> None:
    host = parts.hostname or ""
    literal = literal_of(host)
    here = is_here(host, loopback)
    if parts.scheme == "http" and not here:
        raise Forbidden("Expected `https://`: what is told is for the receiver alone.")
    if literal:
        must_be_callable([literal], loopback)
    elif "[" in parts.netloc or not _NAME.fullmatch(host) or _ENDS_IN_NUMBER.search(host):
        raise Forbidden("The host is neither a name nor an IP address as they are usually written.")
    elif "." not in host.rstrip(".") and not here:
        raise Forbidden("Expected a host of the public internet, with a dot in its name.")


def is_here(host: str, loopback: bool) -> bool:
    """Whether a host is this machine itself, and that may be called."""
    literal = literal_of(host)
    return loopback and (literal.is_loopback if literal else host == "localhost")


def literal_of(host: str) -> Address | None:
    """The address that a host is given as; None if it has a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
