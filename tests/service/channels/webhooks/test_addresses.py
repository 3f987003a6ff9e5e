"""The sender calls only addresses of the public internet, in any notation."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from service.runtime.address_guard import BlockedAddress, check_addresses, is_public, parse_url

HOSTILE = [
    "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
    "https:/example.com", "https://", "https:///path", "//example.com", "example.com", "",
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://redis/",
    "https://user@example.com/", "https://user:pass@example.com/", "https://@example.com/",
    "https://example.com#@10.0.0.1/", "https://example.com/#fragment",
    "https://example.com\\@10.0.0.1/", "https://example.com/\r\nHost: x", "https://example.com/ x",
    "https://example.com:0/", "https://example.com:99999/", "https://example.com:x/",
    "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
    "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://017700000001/", "https://127.0.0.1./",
    "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://169.254.169.254/",
    "https://100.64.0.1/", "https://0.0.0.0/", "https://0/", "https://255.255.255.255/",
    "https://192.0.0.1/", "https://192.88.99.1/", "https://198.18.0.1/", "https://240.0.0.1/",
    "https://192.0.2.1/", "https://198.51.100.1/", "https://203.0.113.1/", "https://224.0.0.1/",
    "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:a00:1]/",
    "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::1]/", "https://[2002:7f00:1::]/",
    "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fc00::1]/", "https://[fd00::1]/",
    "https://[ff02::1]/", "https://[100::1]/", "https://[5f00::1]/", "https://[2001:db8::1]/",
    "https://[2001::1]/", "https://[3fff::1]/", "https://[::127.0.0.1]/", "https://[v1.x]/",
    "https://[::1", "https://exa mple.com/", "https://ex\u00e4mple.com/", "https://\uff11\uff12\uff17.0.0.1/",
    "https://\u2460\u2461\u2466.0.0.1/", "https://-example.com/", "https://example..com/", "https://.com/",
    "https://" + "a" * 64 + ".com/", "https://example.com/" + "a" * 2_000,
]  # fmt: skip
PUBLIC = [
    "https://example.com", "https://example.com/", "https://EXAMPLE.com:8443/hook?x=1&y=%20",
    "https://xn--exmple-cua.com/", "https://1.1.1.1/", "https://[2606:4700::1111]/",
    "https://a_b.example.com/", "https://example.com./",
]  # fmt: skip
SPECIAL = [
    "0.1.2.3", "10.255.255.255", "100.127.255.255", "127.255.255.255", "169.254.0.1",
    "172.31.255.255", "192.0.0.255", "192.168.0.0", "198.19.255.255", "239.1.1.1", "255.0.0.1",
    "::", "::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "fe80::1", "fec0::1",
    "fc00::1", "ff0e::1", "100::1", "5f00::1", "2001:db8::1", "2001:0:1::1", "3fff:1::1", "4000::1",
]  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_refused(url: str) -> None:
    with pytest.raises(BlockedAddress):
        parse_url(url, loopback=False)


@pytest.mark.parametrize("url", PUBLIC)
def test_an_ordinary_url_is_read(url: str) -> None:
    assert parse_url(url, loopback=False).scheme == "https"


@pytest.mark.parametrize("address", SPECIAL)
def test_a_special_address_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))
    with pytest.raises(BlockedAddress, match="outside the public internet"):
        check_addresses([ip_address("1.1.1.1"), ip_address(address)], loopback=False)


@pytest.mark.parametrize("address", SPECIAL)
def test_loopback_mode_permits_this_machine_only(address: str) -> None:
    where = ip_address(address)
    if where.is_loopback:
        check_addresses([where], loopback=True)
    else:
        with pytest.raises(BlockedAddress):
            check_addresses([where], loopback=True)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/", "https://localhost/"]
)
def test_loopback_mode_permits_http_to_this_machine_only(url: str) -> None:
    assert parse_url(url, loopback=True)
    for other in ("http://example.com/", "http://10.0.0.1/", "https://10.0.0.1/"):
        with pytest.raises(BlockedAddress):
            parse_url(other, loopback=True)
