"""Mail goes through a real SMTP server; what is wrong is said with its cure."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from email.policy import SMTP as MAIL_POLICY
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import from_regex

from service.channels.mail.messages import build_message
from service.channels.mail.smtp import MailError, RecipientRefused, open_mail_server
from service.runtime.config.checks import MAIL_ADDRESS
from service.runtime.settings import Settings
from tests.support.certificates import write_certificate
from tests.support.mail_server import PASSWORD, USER, mail_server

SENDER, ADA = "annals@example.com", "ada@example.org"
LONG = "\u0101\u00e9 " * 600
TEXTS = ("Your turn.\n", f"\u8f6e\u5230\u4f60\u4e86\u3002\n.\n..\nFrom here\n{LONG}\n")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_certificate(tmp_path_factory.mktemp("certificate"), "localhost")


def settings_for(port: int, **changes: Any) -> Settings:
    given = {"smtp_host": "localhost", "smtp_security": "none", "mail_from": SENDER, **changes}
    return Settings(smtp_port=port, **given)


def sign_in(security: str, password: str = PASSWORD) -> dict[str, str]:
    return {"smtp_security": security, "smtp_user": USER, "smtp_password": password}


def send(settings: Settings, *recipients: str, text: str = TEXTS[0]) -> None:
    with open_mail_server(settings) as server:
        for one in recipients:
            server.send(build_message(SENDER, one, "Your turn", text, 0), one)


@contextmanager
def mail_error(text: str, cure: str) -> Iterator[None]:
    with pytest.raises(MailError, match=text) as caught:
        yield
    assert cure in caught.value.cure


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_a_mail_arrives_as_it_was_written(
    security: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    is_plain = security == "none"
    server = mail_server(None if is_plain else certificate, tls=security == "tls")
    changes = {} if is_plain else sign_in(security)
    with server as (mail, port):
        for text in TEXTS:
            send(settings_for(port, **changes), ADA, text=text)
    assert [one.get_content().replace("\r\n", "\n") for _, _, one in mail.taken] == list(TEXTS)
    assert [(sender, to) for sender, to, _ in mail.taken] == [(SENDER, [ADA])] * len(TEXTS)
    assert mail.names == {"example.com"}, "the name of this machine stays here"
    assert {one["From"] for _, _, one in mail.taken} == {f"Annals <{SENDER}>"}


def test_a_refused_recipient_delays_no_other_one() -> None:
    with mail_server() as (mail, port), open_mail_server(settings_for(port)) as server:
        for answer, is_permanent, is_doubtful in (
            ("550 5.1.1 Unknown\x1b[2J", True, False),
            ("550 5.1.10 Null MX", True, False),
            ("550 5.1.17 No such number", False, False),
            ("554 5.7.1 Relay access denied", False, False),
            ("550 Unknown", False, True),
            ("452 Full", False, False),
        ):
            mail.refused = {"no@example.org": answer}
            text = f"refuses no@example.org: {answer[:8]}"
            with pytest.raises(RecipientRefused, match=re.escape(text)) as caught:
                server.send(build_message(SENDER, "no@example.org", "Hi", "", 0), "no@example.org")
            given = (caught.value.is_permanent, caught.value.is_doubtful)
            assert given == (is_permanent, is_doubtful), answer
            assert str(caught.value).isprintable()
        server.send(build_message(SENDER, ADA, "Your turn", "", 0), ADA)
    assert [to for _, to, _ in mail.taken] == [[ADA]]


def test_a_header_takes_no_other_one() -> None:
    breaks = ("a\r\nBcc: eve@example.org", "a\nb", "a\rb", "a\x00b", "a\u2028b", "a\x0bb")
    encoded = ("=?utf-8?q?a=0D=0ABcc:_eve@example.org?=", "x =?utf-8?b?YQ0KQmNjOiBlQHgub3Jn?= y")
    for subject in (*breaks, *encoded):
        with pytest.raises(ValueError, match=r"linefeed or carriage return|one line"):
            build_message(SENDER, ADA, subject, "", 0)
    for recipient in ("eve@example.org, ada@example.org", "ada@example.org\nBcc: eve@x.org"):
        with pytest.raises(ValueError):  # noqa: PT011 - the library says it in several ways
            build_message(SENDER, recipient, "Your turn", "", 0)


@given(from_regex(MAIL_ADDRESS, fullmatch=True))
def test_each_address_that_is_taken_can_be_written(address: str) -> None:
    assert str(build_message(address, address, "Your turn", "", 0)["To"]) == address


def test_the_server_says_what_it_refuses() -> None:
    with mail_server() as (mail, port):
        mail.refused = {SENDER: "553 Not yours"}
        with mail_error("refuses the sender: 553 Not yours", "ANNALS_MAIL_FROM"):
            send(settings_for(port), ADA)
        mail.refused = {"DATA": "554 Spam"}
        with mail_error("refuses: 554 Spam", "log"):
            send(settings_for(port), ADA)
        with mail_error("can't do it", "ANNALS_SMTP_SECURITY"):
            send(settings_for(port, smtp_security="starttls"), ADA)
        with mail_error("refuses TLS", "ANNALS_SMTP_SECURITY"):
            send(settings_for(port, smtp_security="tls"), ADA)


def test_a_password_goes_only_to_the_right_server(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server(certificate) as (mail, port):
        with mail_error("certificate of the mail server is not valid", "SSL_CERT_FILE"):
            send(settings_for(port, **sign_in("starttls")), ADA)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with mail_error("refuses the user or the password", "ANNALS_SMTP_PASSWORD"):
            send(settings_for(port, **sign_in("starttls", "wrong")), ADA)
        with mail_error("can't do it", "ANNALS_SMTP_SECURITY"):
            send(settings_for(port, **sign_in("none")), ADA)
        assert not mail.taken


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with mail_error("can't be reached", "ANNALS_SMTP_PORT"):
        send(settings_for(port), ADA)
    with mail_error("has no address", "ANNALS_SMTP_HOST"):
        send(settings_for(port, smtp_host="nowhere.invalid"), ADA)


def test_a_silent_server_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.channels.mail.smtp.TIMEOUT_S", 0.01)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        mail_error("does not answer", "firewall"),
    ):
        send(settings_for(silent.getsockname()[1]), ADA)


def test_a_server_that_sends_a_byte_now_and_then_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer comes in time, and never ends."""
    monkeypatch.setattr("service.channels.mail.smtp.DEADLINE_S", 0.05)

    def drip() -> None:
        connection, _ = slow.accept()
        with connection, suppress(OSError):
            while True:
                connection.sendall(b"2")
                sleep(0.005)

    with socket.create_server(("127.0.0.1", 0)) as slow:
        thread = Thread(target=drip, daemon=True)
        thread.start()
        with mail_error("does not answer", "firewall"):
            send(settings_for(slow.getsockname()[1]), ADA)
        thread.join()


def test_a_long_subject_has_lines_as_mail_programs_read_them() -> None:
    """RFC 2047, 2: at most 75 letters in an encoded word."""
    subject = "\u957f\u57ce\uff1a\u8f6e\u5230\u4f60\u4e86" * 9
    message = build_message(SENDER, ADA, subject, "", 0)
    words = re.findall(rb"=\?\S+", message.as_bytes().partition(b"\r\nDate:")[0])
    assert len(words) > 1
    assert max(map(len, words)) <= 75
    read = message_from_bytes(message.as_bytes(), policy=MAIL_POLICY)
    assert read["Subject"] == subject


def test_a_long_link_in_a_header_stays_whole() -> None:
    link = f"<https://annals.example.org/mail/unsubscribe?code={'x' * 200}>"
    message = build_message(
        SENDER, ADA, "Your turn", "", 0, html="<p>", headers={"List-Unsubscribe": link}
    )
    assert f"\r\nList-Unsubscribe: {link}\r\n".encode() in message.as_bytes()
