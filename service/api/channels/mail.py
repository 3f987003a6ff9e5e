"""The caller's mail address, and what they get mail about."""

from __future__ import annotations

from flask import Blueprint, Response
from msgspec.structs import replace

from service.accounts.quota import DAY_S, Quota
from service.channels.mail.addresses import MailAddress, MailAddresses, new_address
from service.channels.mail.changes import change_address
from service.channels.mail.kinds import KINDS, USUAL_KINDS
from service.channels.mail.links import sends_mail
from service.channels.mail_removal import remove_mail
from service.channels.notice_channels import count_change
from service.http.context import (
    PLAYERS_PER_ADDRESS,
    annals,
    authenticate,
    caller,
    undo_if_ended,
)
from service.http.json_responses import NO_STORE, json_response
from service.http.language import language
from service.http.requests import parse_body, parse_query
from service.http.schemas.accounts import NewMail
from service.http.schemas.common import EmptyObject
from service.runtime.errors import NotFound

bp = Blueprint("mail", __name__, url_prefix="/v1/me/mail")
NOTHING, NEW_MAIL = EmptyObject(), NewMail()
MAILS_PER_DAY = 5
"""How many mails to confirm addresses a player may have sent a day; one address, three times as
many.
"""


@bp.get("")
def read() -> Response:
    """Return the caller's address and the one that they have to confirm."""
    parse_query(NOTHING)
    player = authenticate("account")
    _check_sends_mail()
    return _show(player.id)


@bp.put("")
def choose() -> Response:
    """Change what the caller gets mail about; a new address gets a mail with a link first."""
    player, data = authenticate("account"), parse_body(NEW_MAIL)
    _check_sends_mail()
    chosen = data.get("kinds", USUAL_KINDS)
    kinds = tuple(kind for kind in KINDS if kind in chosen)
    spoken = data.get("language") or language()
    wanted = new_address(data["address"], kinds, spoken, data.get("time_zone", "UTC"))
    if not _change(player.id, wanted):
        _count_request(player.id)
        _addresses().request(player.id, wanted, annals().now())
    undo_if_ended(lambda: remove_mail(annals().store, player.id))
    return _show(player.id)


@bp.delete("")
def remove() -> Response:
    """Erase the caller's address, also where mail is off by now."""
    remove_mail(annals().store, authenticate("account").id)
    return Response(status=204)


def _change(player: str, wanted: MailAddress) -> bool:
    """Change what a player gets at the address that they have confirmed; False if it is a new one,
    or refuses our mail. Raises TooManyRequests.
    """
    addresses = _addresses()

    def change(known: MailAddress) -> MailAddress | None:
        if known.address != wanted.address or known.refused_at is not None:
            return None
        new = replace(wanted, secret=known.secret)
        if new != known:
            count_change(annals(), player)
        addresses.cancel_request(player)
        return new

    return change_address(annals(), player, change)


def _count_request(player: str) -> None:
    """Count a mail that confirms an address. Raises TooManyRequests."""
    redis, now = annals().store.redis, annals().now()
    Quota(redis, "mails", MAILS_PER_DAY, DAY_S).use(player, now)
    of_address = MAILS_PER_DAY * PLAYERS_PER_ADDRESS
    Quota(redis, "confirmations", of_address, DAY_S).use(caller().address, now)


def _show(player: str) -> Response:
    confirmed, pending = _addresses().read(player), _addresses().read_pending(player)
    shown = confirmed or (pending.wanted if pending else None)
    content = {
        "address": confirmed.address if confirmed else None,
        "pending": pending.wanted.address if pending else None,
        "pending_refused": pending is not None and pending.refused,
        "refused": confirmed is not None and confirmed.refused_at is not None,
        "kinds": shown.kinds if shown else (),
        "language": shown.language if shown else language(),
        "time_zone": shown.time_zone if shown else "UTC",
    }
    return json_response(content, headers=NO_STORE)


def _addresses() -> MailAddresses:
    return MailAddresses(annals().store)


def _check_sends_mail() -> None:
    if not sends_mail(annals()):
        raise NotFound("This service sends no mail.")
