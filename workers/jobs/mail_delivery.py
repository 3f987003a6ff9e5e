"""Hands one mail to the SMTP server, and says what became of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from email.message import EmailMessage
from typing import Literal

import structlog

from service.channels.mail.smtp import (
    AnswerMissing,
    MailError,
    MailServer,
    MessageRefused,
    RecipientRefused,
)
from service.matches.container import Annals
from service.runtime.settings import Settings

PAUSES_MS = (60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000)
"""How long a mail waits after each try that failed, or that a killed process left; after the last
one it is given up.
"""
SERVER_PAUSE_MS, MAX_SERVER_PAUSE_MS = 15_000, 900_000
"""How long all mail waits while the server fails: first, and at most, twice as long each time."""
Outcome = Literal["sent", "later", "refused", "unknown", "failed"]
"""What became of a mail: the server took it, refuses it for now, refuses its recipient for ever,
perhaps took it, or does not work.
"""
OpenServer = Callable[[Settings], AbstractContextManager[MailServer]]
log = structlog.get_logger()


class ServerPause:
    """While the mail server fails, only one mail tries it, after growing pauses."""

    def __init__(self) -> None:
        self._until = self._pause_ms = 0

    def ends_at(self, now: int) -> int:
        """Return until when no mail is sent (ms since the epoch); 0 if the clock was set back since
        the server failed.
        """
        return self._until if self._until <= now + MAX_SERVER_PAUSE_MS else 0

    def lengthen(self, now: int) -> None:
        """Note that the server has failed."""
        self._pause_ms = min(max(SERVER_PAUSE_MS, 2 * self._pause_ms), MAX_SERVER_PAUSE_MS)
        self._until = now + self._pause_ms

    def end(self) -> None:
        """Note that the server works."""
        self._until = self._pause_ms = 0


class MailDelivery:
    """The way to the SMTP server, with its pause."""

    def __init__(self, annals: Annals, open_server: OpenServer) -> None:
        self._annals, self._open_server = annals, open_server
        self.pause = ServerPause()

    def deliver(self, player: str, message: EmailMessage, recipient: str, number: int) -> Outcome:
        """Send a message to a player; the last try believes also a refusal without a reason. What
        the log says of it has no address of a person.
        """
        try:
            with self._open_server(self._annals.settings) as server:
                server.send(message, recipient)
        except RecipientRefused as error:
            is_over = error.is_permanent or (error.is_doubtful and number > len(PAUSES_MS))
            log.warning("mail_refused", player=player, is_permanent=is_over)
            self.pause.end()
            return "refused" if is_over else "later"
        except MessageRefused as error:
            log.warning("mail_refused", player=player, why=_without(recipient, error))
            self.pause.end()
            return "later"
        except AnswerMissing as error:
            self.pause.lengthen(self._annals.now())
            log.warning("mail_answer_missing", player=player, why=str(error))
            return "unknown"
        except MailError as error:
            self.pause.lengthen(self._annals.now())
            log.warning("mail_server_failed", why=_without(recipient, error))
            return "failed"
        self.pause.end()
        return "sent"


def _without(recipient: str, error: MailError) -> str:
    return str(error).replace(recipient, "the recipient")
