"""Which matches players have opened: they need no mail about what they have seen."""

from __future__ import annotations

from domain.match.state import Match
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.links import sends_mail
from service.matches.container import Annals


def mark_opened(annals: Annals, player: str, match: Match) -> None:
    """Remember that a player has opened a match as it is now, if they get mail."""
    addresses = MailAddresses(annals.store)
    if sends_mail(annals) and addresses.read(player):
        addresses.mark_opened(player, match.id, match.version)
