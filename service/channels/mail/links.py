"""Where the pages about mail are, which work without signing in."""

from __future__ import annotations

from service.matches.container import Annals

CONFIRM_PATH, END_PATH = "/mail/confirm", "/mail/unsubscribe"


def sends_mail(annals: Annals) -> bool:
    """Return whether the service sends mail to players: it has a server, and an address for links
    that others can open.
    """
    return bool(annals.settings.smtp_host and annals.public_url)


def confirm_url(annals: Annals, code: str) -> str:
    """Return the link that confirms an address."""
    return f"{annals.public_url}{CONFIRM_PATH}?code={code}"


def end_url(annals: Annals, code: str) -> str:
    """Return the link that ends the mail to an address."""
    return f"{annals.public_url}{END_PATH}?code={code}"
