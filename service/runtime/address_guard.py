"""Guards outgoing requests against SSRF: only addresses of the public internet may be called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address

MAX_URL_CHARS = 2_000
NON_PUBLIC_NETWORKS = tuple(
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
"""Special ranges of IANA's registries. Of IPv6, only 2000::/3 is allocated for the public internet,
so mapped and translated IPv4 addresses, SRv6, local and multicast addresses are not public.
"""
PUBLIC_IPV6 = ip_network("2000::/3")
_PRINTABLE = re.compile(r"[\x21-\x7e]+")
_HOST_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?")  # fmt: skip # noqa: E501
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$")


class BlockedAddress(ValueError):
    """An address that the service must not call; the message gives the reason."""


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public internet."""
    if isinstance(address, IPv6Address) and address not in PUBLIC_IPV6:
        return False
    return not any(address in net for net in NON_PUBLIC_NETWORKS if net.version == address.version)


def check_addresses(addresses: Sequence[Address], loopback: bool) -> None:
    """Raise BlockedAddress if one of the addresses of a host is not public. With `loopback`,
    addresses of this machine are allowed too. The message does not name the address, which may be
    internal.
    """
    for address in addresses:
        if not (is_public(address) or (loopback and address.is_loopback)):
            raise BlockedAddress("It has an address outside the public internet.")


def parse_url(url: str, loopback: bool) -> SplitResult:
    """Return the parts of a URL. Raises BlockedAddress if the URL itself shows that it must not be
    called.
    """
    if len(url) > MAX_URL_CHARS or not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise BlockedAddress(
            f"A URL has at most {MAX_URL_CHARS} printable ASCII characters and no backslash."
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BlockedAddress("This is not a URL.") from None
    if parts.scheme not in ("https", "http") or port == 0 or not parts.hostname:
        raise BlockedAddress("Expected `https://` and a host; a port and a path are optional.")
    if "@" in parts.netloc or "#" in url:
        raise BlockedAddress("The URL must not contain a user name, a password or a fragment.")
    _check_host(parts, loopback)
    return parts


def _check_host(parts: SplitResult, loopback: bool) -> None:
    host = parts.hostname or ""
    literal = ip_literal(host)
    here = is_this_machine(host, loopback)
    if parts.scheme == "http" and not here:
        raise BlockedAddress(
            "Expected `https://`, so that only the receiver can read the messages."
        )
    if literal:
        check_addresses([literal], loopback)
    elif "[" in parts.netloc or not _HOST_NAME.fullmatch(host) or _ENDS_IN_NUMBER.search(host):
        raise BlockedAddress("The host must be a plain host name or a plain IP address.")
    elif "." not in host.rstrip(".") and not here:
        raise BlockedAddress("Expected a host name of the public internet, with a dot in it.")


def is_this_machine(host: str, loopback: bool) -> bool:
    """Return whether a host is this machine and `loopback` allows it."""
    literal = ip_literal(host)
    return loopback and (literal.is_loopback if literal else host == "localhost")


def ip_literal(host: str) -> Address | None:
    """Return the address if the host is an IP address, else None."""
    try:
        return ip_address(host)
    except ValueError:
        return None
