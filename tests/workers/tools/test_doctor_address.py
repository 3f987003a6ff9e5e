"""`annals doctor` says why the public address does not lead to the service."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.stub_proxy import stub
from tests.workers.tools.test_doctor import at_stub, found_outside, patient, with_settings
from workers.tools.doctor import address
from workers.tools.doctor.finding import Finding, Patient
from workers.tools.doctor.unreachable import explain_error

__all__ = ["patient"]
DAY = timedelta(days=1)


@pytest.fixture
def sign(tmp_path: Path) -> Callable[..., Path]:
    """Writes a self-signed certificate, with its key, for a name and some days from now."""

    def write(name: str = "localhost", *, first: int = -2, last: int = 2) -> Path:
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)  # noqa: TID251 - certificates are good for a time
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = (
            x509.CertificateBuilder()
            .subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + first * DAY).not_valid_after(now + last * DAY)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
            .sign(key, hashes.SHA256())
        )  # fmt: skip
        pem = serialization.Encoding.PEM
        plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        file = tmp_path / "certificate.pem"
        file.write_bytes(key.private_bytes(pem, *plain) + made.public_bytes(pem))
        return file

    return write


@pytest.mark.parametrize(("first", "level"), [(-2, "ok"), (-20, "warn")])
def test_tls_is_examined(
    patient: Patient, sign: Callable[..., Path], monkeypatch: pytest.MonkeyPatch,
    first: int, level: str,
) -> None:  # fmt: skip
    """A certificate should be renewed before the last sixth of its life."""
    with stub() as here, stub(certificate := sign(first=first)) as outside:
        url = f"https://localhost:{outside.server_port}"
        examined = with_settings(at_stub(patient, here), public_url=url)
        [unknown] = address.check_address(examined)
        assert "not from an authority that this machine knows" in unknown.text
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert found_outside(examined) == {
            "address": "ok", "tls": level, "proxy": "fail", "streams": "ok",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("certificate", "says"),
    [
        ({"last": -1}, "has expired"),
        ({"first": 1}, "is not valid yet"),
        ({"name": "elsewhere.test"}, "is for another name"),
    ],
)
def test_a_certificate_that_is_not_valid_is_named(
    patient: Patient, sign: Callable[..., Path], monkeypatch: pytest.MonkeyPatch,
    certificate: dict[str, int], says: str,
) -> None:  # fmt: skip
    file = sign(**certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with stub() as here, stub(file) as outside:
        url = f"https://localhost:{outside.server_port}"
        found = find(with_settings(at_stub(patient, here), public_url=url))
    assert (found.check, found.level) == ("tls", "fail")
    assert found.text == f"The certificate of {url} {says}."
    assert found.cure


def test_a_proxy_without_tls_is_named(patient: Patient) -> None:
    with stub() as here:
        url = f"https://localhost:{here.server_port}"
        found = find(with_settings(at_stub(patient, here), public_url=url))
    assert (found.check, found.text) == ("tls", f"{url} answers without TLS.")


def test_a_proxy_that_refuses_tls_is_named(patient: Patient, sign: Callable[..., Path]) -> None:
    """As Caddy does for a name that its configuration lacks."""
    with stub() as here, stub(sign()) as outside:
        assert isinstance(outside.socket, ssl.SSLSocket)
        refusal = ssl.AlertDescription.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        outside.socket.context.sni_callback = lambda *_: refusal
        url = f"https://localhost:{outside.server_port}"
        found = find(with_settings(at_stub(patient, here), public_url=url))
    assert (found.check, found.level) == ("tls", "fail")
    assert found.text.startswith(f"{url} refuses TLS: ")


def test_an_address_at_which_nothing_answers_is_named(patient: Patient) -> None:
    with stub() as here:
        examined = with_settings(at_stub(patient, here), public_url="https://127.0.0.1:1")
        assert find(examined).text == "Nothing listens at https://127.0.0.1:1."
    assert explain_error("https://a.test", TimeoutError()).text == "https://a.test does not answer."


def test_a_proxy_that_closes_waiting_connections_is_asked_again() -> None:
    with stub() as server:
        server.impatient = True
        site = address.Site(f"http://127.0.0.1:{server.server_port}")
        assert [site.send("GET", "/readyz").status for _ in range(3)] == [200] * 3
        site.close()


@pytest.mark.parametrize(
    ("status", "location", "says"),
    [
        (301, "https://house.test/readyz", "leads to https://house.test."),
        (302, "/login", "does not lead to this service (302)."),
        (302, "{url}/login", "does not lead to this service (302)."),
        (502, "", "does not reach the service (502)."),
        (404, "", "does not lead to this service (404)."),
    ],
)
def test_an_answer_of_the_proxy_itself_is_named(
    patient: Patient, status: int, location: str, says: str
) -> None:
    with stub() as here, stub() as outside:
        url = f"http://127.0.0.1:{outside.server_port}"
        outside.run, outside.status, outside.location = "", status, location.format(url=url)
        found = find(with_settings(at_stub(patient, here), public_url=url))
    assert (found.check, found.level) == ("address", "fail")
    assert found.text.endswith(says)


@pytest.mark.parametrize(
    ("trusted", "forwarded", "cure"),
    [
        (0, 0, ""),
        (1, 1, ""),
        (0, 1, "Set ANNALS_PROXIES=1."),
        (1, 2, "Set ANNALS_PROXIES=2."),
        (2, 1, "Set ANNALS_PROXIES=1."),
        (1, 0, "Let the proxy send it, or set ANNALS_PROXIES=0."),
    ],
)
def test_proxies_are_counted(patient: Patient, trusted: int, forwarded: int, cure: str) -> None:
    """Given proxies that add an address each, and a service that trusts other ones."""
    with stub() as server:
        server.forwarded = forwarded
        examined = with_settings(at_stub(patient, server), proxies=trusted)
        found = {one.check: one for one in address.check_address(examined)}["proxy"]
    assert (found.level, found.cure) == ("fail" if cure else "ok", cure)


def find(examined: Patient) -> Finding:
    """The only finding about the public address."""
    [found] = address.check_address(examined)
    return found
