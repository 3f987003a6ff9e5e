"""Messages as RFC 5322 has them, in plain text and perhaps in HTML.

Headers can't be injected: `EmailMessage` refuses line breaks in them, and encodes all but ASCII.
But older versions of Python also decode what looks encoded, such as `=?utf-8?q?=0A?=`, and write it
with the line break, so this is refused, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import formatdate, make_msgid

SENDER_NAME = "Annals"
NO_HEADERS: Mapping[str, str] = {}
POLICY = SMTP.clone(cte_type="7bit")
"""Each server takes lines in ASCII; others would need 8BITMIME."""
SHORT_LINES = POLICY.clone(max_line_length=76)
"""No encoded word has more than 75 letters, no line with one more than 76 (RFC 2047, 2)."""


class _LongHeaders(EmailPolicy):
    """For writing: the address of a page in a header must not be broken, nor encoded. A subject is
    text, so it may.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        if name == "Subject":
            return SHORT_LINES.fold_binary(name, value)
        return super().fold_binary(name, value)


LONG_HEADERS = _LongHeaders(linesep=POLICY.linesep, cte_type=POLICY.cte_type, max_line_length=998)


def build_message(
    sender: str,
    recipient: str,
    subject: str,
    text: str,
    now: int,
    *,
    html: str = "",
    headers: Mapping[str, str] = NO_HEADERS,
) -> EmailMessage:
    """Return a message from the service, with its date (ms since the epoch) and these headers
    besides, or in place of a new `Message-ID`. Raises ValueError if the subject can't be written as
    it is.
    """
    message = EmailMessage(POLICY)
    message["From"] = Address(SENDER_NAME, addr_spec=sender)
    message["To"] = Address(addr_spec=recipient)
    message["Subject"] = subject
    if message["Subject"] != subject or not subject.isprintable():
        raise ValueError("The subject of a mail is one line of printable text, not encoded.")
    message["Date"] = formatdate(now / 1000)
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no absence note answers it
    for name, value in headers.items():
        message[name] = value
    if "Message-ID" not in message:
        message["Message-ID"] = make_msgid(domain=domain_of(sender))
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    message.policy = LONG_HEADERS
    return message


def domain_of(address: str) -> str:
    """Return the domain of an address."""
    return address.rpartition("@")[2]
