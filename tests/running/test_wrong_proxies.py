"""`annals doctor` names what is wrong with a real proxy, and the cure."""

from __future__ import annotations

from pathlib import Path
from socket import create_connection

import pytest

from tests.running.test_hosting import Findings, certificate, find, nginx, public_url
from tests.support.patience import eventually
from tests.support.whole_service import Service

__all__ = ["certificate"]
SCHEME = "proxy_set_header X-Forwarded-Proto $scheme;"
ADDRESS = "proxy_set_header X-Forwarded-For $remote_addr;"
WAIT = "proxy_read_timeout 90s;"
WRONG = {
    "without the scheme": (SCHEME, "", "proxy", "does not know that requests come by https"),
    "without addresses": (ADDRESS, "", "proxy", "come without X-Forwarded-For"),
    "behind another": (
        ADDRESS, "proxy_set_header X-Forwarded-For '192.0.2.7, $remote_addr';",
        "proxy", "from 2 proxies, but ANNALS_PROXIES is 1",
    ),
    "that buffers": (
        WAIT, f"{WAIT} proxy_ignore_headers X-Accel-Buffering;", "streams", "No event of",
    ),
    "without the service": (
        "proxy_pass http://annals;", "proxy_pass http://127.0.0.1:1;",
        "address", "does not reach the service (502)",
    ),
    "of another site": (
        "proxy_pass http://annals;", "return 404;", "address", "not lead to this service (404)",
    ),
    "that redirects": (
        "proxy_pass http://annals;", "return 301 https://other.example$request_uri;",
        "address", "leads to https://other.example.",
    ),
    "without tls": (" ssl http2;", ";", "tls", "answers without TLS"),
}  # fmt: skip


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_proxy_is_named_with_its_cure(
    service: Service, certificate: Path, which: str
) -> None:
    right, wrong, check, says = WRONG[which]
    with nginx(service, certificate, {right: wrong}) as port:
        eventually(lambda: create_connection(("127.0.0.1", port)).close() is None)
        trusted = {"SSL_CERT_FILE": f"{certificate}/fullchain.pem"}
        with public_url(service, f"https://localhost:{port}"):
            eventually(lambda: is_named(find(service, **trusted), check, says))


def is_named(found: Findings, check: str, says: str) -> bool:
    """Whether this check alone fails, with a cure, and says this."""
    others = {
        found[name]["level"] for name in {"address", "proxy", "streams"} & found.keys() - {check}
    }
    return (
        found[check]["level"] == "fail"
        and says in found[check]["text"]
        and found[check]["cure"] != ""
        and others <= {"ok"}
    )
