"""The settings of the house, for operators; and how a visitor becomes one, by a link."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from flask import Response, request
from marshmallow import ValidationError

from service.accounts.house import MAX_NAME_CHARS, House
from service.accounts.operators import LINK_PATH
from service.accounts.players import Player
from service.admin.moderation import Moderation
from service.http.context import annals, check_operator, check_same_site, context
from service.http.cookies import browser_name, set_session_cookie
from service.http.problem_codes import title_of
from service.http.responses.html_pages import relative_root
from service.http.schemas.accounts import NewPlayer
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitor, visitor_language
from service.runtime.config import checks
from service.runtime.errors import BadCode, BannedPlayer, InvalidToken, NameTaken, NotAnOperator

NEW_PLAYER = NewPlayer()


class FieldFault(NamedTuple):
    """What is wrong with a field of the form, in the visitor's language."""

    field: str
    text: str


class Form(NamedTuple):
    """What a visitor has sent."""

    code: str
    house: House
    player_name: str


@bp.get(LINK_PATH)
def setup() -> Response:
    """The form, for operators and for visitors with a valid code."""
    code = request.args.get("code", "")
    if not _may_set_up(code):
        return _ask_for_link(403 if code else 200)
    return _show(Form(code, annals().house.read(), ""))


@bp.post(LINK_PATH)
def set_up() -> Response:
    """Store the settings of the house; with a code, make the visitor an operator first."""
    form = _read_form()
    if not form.code:
        check_same_site()
    if not _may_set_up(form.code):
        return _ask_for_link(403)
    if fault := _find_fault(form.house):
        return _show(form, fault)
    response = Response(status=303, headers={"Location": f"{relative_root()}settings#keep"})
    words = words_in(visitor_language())
    if form.code:
        try:
            _become_operator(form, response)
        except BadCode:
            return _ask_for_link(403)
        except NameTaken as refusal:
            return _show(form, FieldFault("name", title_of(refusal.code, visitor_language())))
        except ValidationError:
            return _show(form, FieldFault("name", words("bad_player_name")))
    _change_house(form.house)
    return response


def _change_house(house: House) -> None:
    """Store the settings of the house; record it in the admin log if an operator changes them."""
    me = visitor()
    if me and house != annals().house.read():
        Moderation(annals(), me.id).record("change house", house.name, house.public_url)
    annals().house.write(house)


def _may_set_up(code: str) -> bool:
    """Whether the visitor has a valid code; without any, whether they are an operator."""
    if code:
        return context().operators.is_valid(code)
    with suppress(NotAnOperator, InvalidToken, BannedPlayer):
        return bool(check_operator(visitor()))
    return False


def _read_form() -> Form:
    sent, fixed_url = request.form, annals().settings.public_url
    public_url = annals().house.read().public_url if fixed_url else sent.get("public_url", "")
    house = House(" ".join(sent.get("house", "").split()), public_url.strip())
    return Form(sent.get("code", ""), house, sent.get("name", ""))


def _find_fault(house: House) -> FieldFault | None:
    """What is wrong with the settings of the house."""
    words = words_in(visitor_language())
    if not 0 < len(house.name) <= MAX_NAME_CHARS or not house.name.isprintable():
        return FieldFault("house", words("bad_house_name", most=MAX_NAME_CHARS))
    if checks.public_url(house.public_url):
        return FieldFault("public_url", words("bad_public_url"))
    return None


def _become_operator(form: Form, response: Response) -> None:
    """Make the visitor an operator, with a new account unless they have one. Raises BadCode,
    NameTaken, ValidationError.
    """
    me, now, operators = visitor(), annals().now(), context().operators
    name = "" if me else NEW_PLAYER.load({"name": form.player_name})["name"]
    left_ms = operators.redeem(form.code)
    if me is None:
        try:
            me, _ = annals().players.register(name, now, operator=True)
        except NameTaken:
            operators.restore(form.code, left_ms)
            raise
        _sign_in(me, response)
    Moderation(annals(), me.id).record("become operator", me.id)
    operators.add(me.id)


def _sign_in(player: Player, response: Response) -> None:
    browser = browser_name(request.user_agent.string)
    token = context().sessions.begin(player, browser, annals().now())
    set_session_cookie(response, token, request.is_secure)


def _show(form: Form, fault: FieldFault | None = None) -> Response:
    response = render(
        "setup",
        modules=("setup.js",),
        status=400 if fault else 200,
        form=form,
        fault=fault,
        fixed_url=annals().settings.public_url,
        longest=MAX_NAME_CHARS,
    )
    if form.code:
        response.headers["Cache-Control"] = "no-store"
    return response


def _ask_for_link(status: int) -> Response:
    return render("setup", status=status, form=None)
