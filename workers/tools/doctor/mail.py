"""Checks of the server that sends mail, and a trial mail."""

from __future__ import annotations

from collections.abc import Iterator

from service.channels.mail.messages import build_message
from service.channels.mail.smtp import MailError, open_mail_server
from service.matches.container import wall_clock
from service.runtime.settings import Settings
from workers.tools.doctor.finding import Finding, Patient

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
SUBJECT = "Annals can send you mail"
TEXT = "`annals doctor` of {} sent this mail. If you read it, all is well.\n"


def check_mail(patient: Patient) -> Iterator[Finding]:
    """Yield whether the mail server takes mail from the sender; no mail is sent."""
    settings = patient.settings
    if not settings.smtp_host:
        yield Finding("mail", "ok", "E-mail is off.")
        return
    try:
        with open_mail_server(settings) as server:
            server.check_sender()
    except MailError as error:
        yield Finding("mail", "fail", str(error), error.cure)
        return
    yield (
        find_plain_connection(settings)
        or find_no_links(patient)
        or Finding("mail", "ok", f"{settings.smtp_host} takes mail from {settings.mail_from}.")
    )


def find_plain_connection(settings: Settings) -> Finding | None:
    """Return a warning if others could read mail, or a password, on its way to the server."""
    if settings.smtp_security != "none" or settings.smtp_host in THIS_MACHINE:
        return None
    what = "the password and all mail" if settings.smtp_password else "all mail"
    text = f"Others can read {what} on the way to {settings.smtp_host}."
    return Finding("mail", "warn", text, "Set ANNALS_SMTP_SECURITY=starttls, or tls.")


def find_no_links(patient: Patient) -> Finding | None:
    """Return a warning if players get no mail, since its links would lead nowhere."""
    if patient.public_url:
        return None
    text = "Players get no mail: links in it need the public address of the service."
    return Finding("mail", "warn", text, "Set ANNALS_PUBLIC_URL, or the address in /setup.")


def send_trial_mail(patient: Patient, recipient: str) -> Finding:
    """Send a mail to a recipient, and return whether the server has taken it."""
    settings = patient.settings
    if not settings.smtp_host:
        cure = "Set ANNALS_SMTP_HOST: docs/how-to/set-up-mail.md."
        return Finding("mail", "fail", "E-mail is off.", cure)
    text = TEXT.format(patient.public_url or "this service")
    message = build_message(settings.mail_from, recipient, SUBJECT, text, wall_clock())
    try:
        with open_mail_server(settings) as server:
            server.send(message, recipient)
    except MailError as error:
        return Finding("mail", "fail", str(error), error.cure)
    return Finding("mail", "ok", f"{settings.smtp_host} has taken a mail to {recipient}.")
