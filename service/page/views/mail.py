"""The pages behind the links in mails. They work without signing in: the link is the proof. What
they do needs a click, since programs that look for viruses open the links in mails.
"""

from __future__ import annotations

from flask import Response, request

from domain.engine.sentences import Words
from service.channels.account_deletion import erase_if_deleted
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.links import CONFIRM_PATH, END_PATH
from service.channels.mail_removal import remove_mail
from service.http.context import annals
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitor_language

NO_STORE = "no-store"


@bp.get(CONFIRM_PATH)
def mail_to_confirm() -> Response:
    """The button that confirms an address."""
    code, words = request.args.get("code", ""), _words()
    found = _addresses().find_by_link(code)
    if found is None:
        return _show(words("mail_confirm"), words("mail_link_over"), status=403)
    player, pending = found
    name = annals().players.names([player]).get(player, "")
    return _show(
        words("mail_confirm"),
        words("mail_confirm_sure", name=name, address=pending.wanted.address),
        code,
    )


@bp.post(CONFIRM_PATH)
def confirm_mail() -> Response:
    """Confirm an address, once."""
    words = _words()
    player = _addresses().confirm(request.form.get("code", ""))
    if player is None:
        return _show(words("mail_confirm"), words("mail_link_over"), status=403)
    erase_if_deleted(annals(), [player])
    return _show(words("mail_confirm"), words("mail_confirmed"))


@bp.get(END_PATH)
def mail_to_end() -> Response:
    """The button that ends the mail to an address."""
    code, words = request.args.get("code", ""), _words()
    if _addresses().find_by_end_link(code) is None:
        return _show(words("mail_unsubscribe"), words("mail_unsubscribed"))
    return _show(words("mail_unsubscribe"), words("mail_unsubscribe_sure"), code)


@bp.post(END_PATH)
def end_mail() -> Response:
    """End the mail to an address: by the button, or by the program of its reader, which sends the
    address of the page with `List-Unsubscribe=One-Click` (RFC 8058).
    """
    words = _words()
    player = _addresses().find_by_end_link(request.values.get("code", ""))
    if player is not None:
        remove_mail(annals().store, player)
    return _show(words("mail_unsubscribe"), words("mail_unsubscribed"))


def _words() -> Words:
    return words_in(visitor_language())


def _show(title: str, sentence: str, code: str = "", status: int = 200) -> Response:
    response = render("mail", status=status, title=title, sentence=sentence, code=code)
    response.headers["Cache-Control"] = NO_STORE
    response.headers["Referrer-Policy"] = "no-referrer"  # the address of the page has the link
    return response


def _addresses() -> MailAddresses:
    return MailAddresses(annals().store)
