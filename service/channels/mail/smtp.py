"""The connection to the SMTP server of the operator."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from threading import Timer

from service.channels.mail.messages import domain_of
from service.runtime.settings import Settings

TIMEOUT_S = 20.0
"""How long the server may take for each answer."""
DEADLINE_S = 25.0
"""How long a connection may take in all, from its first byte: `smtplib` has a limit for each answer
only, and a server could send one byte after another.
"""
PERMANENT = 500
"""From this code on, the same command would fail again (RFC 5321, 4.2.1)."""
ENHANCED_CODE = re.compile(rb"[245]\.\d{1,3}\.\d{1,3}\b")
BAD_MAILBOX = re.compile(rb"5\.(1\.(1|2|3|6|10)|2\.1)\b")
"""The enhanced codes of mailboxes that take no mail (RFC 3463, RFC 7505); others are about the
sender, a quota or the network.
"""
MAX_ANSWER_CHARS = 200
"""How much of an answer of the server is repeated."""


class MailError(Exception):
    """Mail can't be sent now; the message is a sentence, `cure` another one for the operator."""

    def __init__(self, text: str, cure: str) -> None:
        super().__init__(text)
        self.cure = cure


class RecipientRefused(MailError):
    """The server refuses the address of the recipient: for ever if `is_permanent`, perhaps for ever
    if `is_doubtful`, since it does not say why.
    """

    def __init__(self, text: str, code: int, answer: bytes) -> None:
        super().__init__(text, "Correct the address.")
        is_lasting = code >= PERMANENT
        self.is_permanent = is_lasting and BAD_MAILBOX.match(answer) is not None
        self.is_doubtful = is_lasting and ENHANCED_CODE.match(answer) is None


class MessageRefused(MailError):
    """The server refuses this message, perhaps for now."""


class AnswerMissing(MailError):
    """The connection has ended within a message, so the server may have taken it."""


class Deadline:
    """Breaks a connection off when its time is up."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._timer = Timer(seconds, self._break_off)
        self._timer.daemon = True
        self._connection: socket.socket | None = None

    def watch(self, connection: socket.socket) -> None:
        """Start the time of a connection, also for what wraps it later."""
        self._connection = connection.dup()  # TLS detaches the other
        self._timer.start()

    def end(self) -> None:
        """Stop the time."""
        self._timer.cancel()
        if self._connection:
            self._connection.close()

    def _break_off(self) -> None:
        self.is_over = True
        with suppress(OSError):
            if self._connection:
                self._connection.shutdown(socket.SHUT_RDWR)


class _Connection(smtplib.SMTP):
    """A connection with a deadline."""

    def __init__(self, deadline: Deadline, host: str, port: int, domain: str) -> None:
        self._deadline = deadline
        super().__init__(host, port, domain, timeout=TIMEOUT_S)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        found: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        self._deadline.watch(found)
        return found


class _TlsConnection(smtplib.SMTP_SSL):
    """The same, encrypted from its start."""

    def __init__(self, deadline: Deadline, host: str, port: int, domain: str) -> None:
        self._deadline = deadline
        context = ssl.create_default_context()
        super().__init__(host, port, domain, timeout=TIMEOUT_S, context=context)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        plain = socket.create_connection((host, port), timeout)
        self._deadline.watch(plain)
        return self.context.wrap_socket(plain, server_hostname=host)


class MailServer:
    """An open connection, signed in."""

    def __init__(self, connection: smtplib.SMTP, sender: str, deadline: Deadline) -> None:
        self._connection = connection
        self._sender = sender
        self._deadline = deadline

    def check_sender(self) -> None:
        """Ask whether the server takes mail from the sender, and send none. Raises MailError."""
        with _explained(self._deadline):
            self._begin()
            self._connection.rset()

    def send(self, message: EmailMessage, recipient: str) -> None:
        """Send a message to one recipient. Raises MailError if the server fails, and
        RecipientRefused, MessageRefused or AnswerMissing if it does so at this message.
        """
        data = message.as_bytes()
        with _explained(self._deadline):
            self._begin()
        try:
            self._finish(data, recipient)
        except OSError as error:
            text = "The mail server does not say whether it takes a mail."
            raise AnswerMissing(text, "Look into its log.") from error

    def _finish(self, data: bytes, recipient: str) -> None:
        code, answer = self._connection.rcpt(recipient)
        if not _is_accepted(code):
            with suppress(OSError):  # it may have ended the connection
                self._connection.rset()
            text = f"The mail server refuses {recipient}: {_show(code, answer)}."
            raise RecipientRefused(text, code, answer)
        try:
            code, answer = self._connection.data(data)
        except smtplib.SMTPDataError as error:  # it refuses the command
            code, answer = error.smtp_code, _as_bytes(error.smtp_error)
        if not _is_accepted(code):
            text = f"The mail server refuses: {_show(code, answer)}."
            raise MessageRefused(text, "Look into its log.")

    def _begin(self) -> None:
        code, answer = self._connection.mail(self._sender)
        if not _is_accepted(code):
            raise smtplib.SMTPSenderRefused(code, answer, self._sender)


@contextmanager
def open_mail_server(settings: Settings) -> Iterator[MailServer]:
    """Connect to the server that the settings name, and sign in. Raises MailError. The connection
    lasts for DEADLINE_S.
    """
    deadline = Deadline(DEADLINE_S)
    try:
        with _explained(deadline):
            connection = _connect(settings, deadline)
        try:
            with _explained(deadline):
                if settings.smtp_security == "starttls":
                    connection.starttls(context=ssl.create_default_context())
                connection.ehlo_or_helo_if_needed()
                if settings.smtp_user:
                    connection.login(settings.smtp_user, settings.smtp_password)
            yield MailServer(connection, settings.mail_from, deadline)
            with suppress(smtplib.SMTPException, OSError):
                connection.quit()
        finally:
            connection.close()
    finally:
        deadline.end()


def _connect(settings: Settings, deadline: Deadline) -> smtplib.SMTP:
    """Return a connection. It names the domain of the sender, not this machine, whose name is no
    one's business and may take the DNS many seconds.
    """
    kind = _TlsConnection if settings.smtp_security == "tls" else _Connection
    host, port = settings.smtp_host, settings.smtp_port
    return kind(deadline, host, port, domain_of(settings.mail_from))


@contextmanager
def _explained(deadline: Deadline) -> Iterator[None]:
    """Raise MailError for each error of the connection or the server."""
    try:
        yield
    except (smtplib.SMTPException, OSError, ValueError) as error:
        why = TimeoutError() if deadline.is_over else error
        raise MailError(*_explain(why)) from error


def _explain(error: Exception) -> tuple[str, str]:
    """Return what is wrong, and the cure."""
    if isinstance(error, smtplib.SMTPResponseException):
        return _explain_answer(error)
    if isinstance(error, smtplib.SMTPServerDisconnected):
        if isinstance(error.__context__, TimeoutError):  # smtplib names only the end
            return _explain_connection(error.__context__)
        return "The mail server ends the connection.", _CORRECT_SECURITY
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return f"The mail server can't do it: {error}", _CORRECT_SECURITY
    if isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException):
        return _explain_connection(error)
    return f"The mail server can't be used: {error}.", "Correct ANNALS_SMTP_HOST."


def _explain_answer(error: smtplib.SMTPResponseException) -> tuple[str, str]:
    answer = _show(error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        text = f"The mail server refuses the user or the password: {answer}."
        return text, "Correct ANNALS_SMTP_USER and ANNALS_SMTP_PASSWORD."
    if isinstance(error, smtplib.SMTPSenderRefused):
        text = f"The mail server refuses the sender: {answer}."
        return text, "Set ANNALS_MAIL_FROM to an address that this user may send from."
    return f"The mail server refuses: {answer}.", "Look into its log."


def _explain_connection(error: OSError) -> tuple[str, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        text = f"The certificate of the mail server is not valid: {error.verify_message}."
        cure = (
            "Set ANNALS_SMTP_HOST to a name that is in it. If its authority is your own, set"
            " SSL_CERT_FILE=ca.pem for the service."
        )
        return text, cure
    if isinstance(error, ssl.SSLError):
        return f"The mail server refuses TLS: {error.reason}.", _CORRECT_SECURITY
    if isinstance(error, socket.gaierror):
        return "The name of the mail server has no address.", "Correct ANNALS_SMTP_HOST."
    if isinstance(error, TimeoutError):
        return (
            "The mail server does not answer.",
            f"Let the firewall permit it. {_CORRECT_SECURITY}",
        )
    text = f"The mail server can't be reached ({error.strerror or error})."
    return text, "Correct ANNALS_SMTP_HOST and ANNALS_SMTP_PORT; some hosts block port 25."


_CORRECT_SECURITY = (
    "Set ANNALS_SMTP_SECURITY to `tls` if ANNALS_SMTP_PORT is 465, to `starttls` if it is 587."
)


def _is_accepted(code: int) -> bool:
    return 200 <= code < 300


def _as_bytes(answer: bytes | str) -> bytes:
    return answer if isinstance(answer, bytes) else answer.encode()


def _show(code: int, answer: bytes | str) -> str:
    """Return an answer in one line, without what could command a terminal."""
    text = _as_bytes(answer).decode(errors="replace")
    plain = "".join(one if one.isprintable() else " " for one in text)
    return f"{code} {plain[:MAX_ANSWER_CHARS]}".rstrip(". ")
