"""Changes of what a player gets at the address that they have confirmed."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from service.channels.mail.addresses import MailAddress, MailAddresses
from service.channels.mail.kinds import KINDS
from service.matches.container import Annals

MAX_TRIES = 5
"""How often a change is tried if other processes change the same address."""


def change_address(
    annals: Annals, player: str, change: Callable[[MailAddress], MailAddress | None]
) -> bool:
    """Change what is recorded about a confirmed address; False if there is none, `change` returns
    None, or others change it all the time.
    """
    addresses = MailAddresses(annals.store)
    for _ in range(MAX_TRIES):
        known = addresses.read(player)
        new = known and change(known)
        if known is None or new is None:
            return False
        if new == known:
            return True
        if addresses.change(player, known, new):
            return True
    return False


def choose_kinds(annals: Annals, player: str, kinds: frozenset[str]) -> bool:
    """Change what a player gets mail about, also at an address that they still have to confirm;
    False if they have no confirmed one.
    """
    chosen, addresses = tuple(kind for kind in KINDS if kind in kinds), MailAddresses(annals.store)
    if pending := addresses.read_pending(player):
        wanted = replace(pending.wanted, kinds=chosen)
        addresses.change_pending(player, pending, replace(pending, wanted=wanted))
    return change_address(annals, player, lambda known: replace(known, kinds=chosen))
