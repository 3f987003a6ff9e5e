"""A real SMTP server, which keeps the mail that it takes."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP as MAIL_POLICY
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.ports import free_port

USER, PASSWORD = "annals", "hush"


@dataclass
class Mail:
    """What the server has taken, and whom it refuses, with its answers."""

    taken: list[tuple[str, list[str], EmailMessage]] = field(default_factory=list)
    """Sender and recipients of the envelope, and the message."""
    refused: dict[str, str] = field(default_factory=dict)
    """Answers by sender, recipient or `DATA`, which is for the whole message."""
    ends_at: str = ""
    """The command at which it ends the connection: `RCPT`, or `DATA` when it has the message."""
    knows_recipients: bool = True
    """Whether it takes the command `DATA` after a recipient."""
    names: set[str] = field(default_factory=set)
    """The names with which clients have greeted."""

    async def handle_EHLO(  # noqa: N802 - the hook of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        self.names.add(name)
        session.host_name = name
        return replies

    async def handle_MAIL(  # noqa: N802 - the hook of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope, sender: str, options: list[str]
    ) -> str:
        envelope.mail_from = sender
        return self.refused.get(sender, "250 OK")

    async def handle_RCPT(  # noqa: N802 - the hook of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope, to: str, options: list[str]
    ) -> str:
        if self.ends_at == "RCPT":
            abort(server)
        if to not in self.refused and self.knows_recipients:
            envelope.rcpt_tos.append(to)
        return self.refused.get(to, "250 OK")

    async def handle_DATA(  # noqa: N802 - the hook of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if "DATA" in self.refused:
            return self.refused["DATA"]
        assert isinstance(envelope.content, bytes)
        read: Any = message_from_bytes(envelope.content, policy=MAIL_POLICY)
        self.taken.append((str(envelope.mail_from), envelope.rcpt_tos, read))
        if self.ends_at == "DATA":
            abort(server)
        return "250 OK"


def abort(server: SMTP) -> None:
    """End the connection of a client at once."""
    transport: Any = server.transport
    transport.abort()


@contextmanager
def mail_server(
    certificate: Path | None = None, *, tls: bool = False
) -> Iterator[tuple[Mail, int]]:
    """A server and its port. With a certificate it knows USER, and speaks in secret only: from the
    start with `tls`, else after STARTTLS, and then it takes mail of no one else.
    """
    mail, port, context = Mail(), free_port(), None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    controller = Controller(
        mail, hostname="127.0.0.1", port=port, server_hostname="localhost",
        authenticator=check_password,
        ssl_context=context if tls else None, tls_context=None if tls else context,
        require_starttls=bool(certificate) and not tls,
        auth_required=bool(certificate) and not tls, auth_require_tls=not tls,
    )  # fmt: skip
    controller.start()
    try:
        yield mail, port
    finally:
        controller.stop()


def check_password(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: Any
) -> AuthResult:
    is_right = given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_right, handled=False)
