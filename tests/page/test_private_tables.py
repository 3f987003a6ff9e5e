"""Private tables on the page: shown to those who may see them, and to those whom a link invites."""

from __future__ import annotations

import re

from flask import Flask
from flask.testing import FlaskClient

from service.matches.container import Annals
from tests.page.test_pages import BROWSER, ORIGIN, show_page
from tests.service.api.conftest import Api, fold_lists, open_table, register


def test_a_caller_who_may_not_know_of_a_match_is_shown_none(
    client: FlaskClient,
    ann: Api,
    annals: Annals,
) -> None:
    hidden = open_table(ann, game="qin", visibility="private").removeprefix("/v1")
    fold_lists(annals)
    answer = client.get(hidden, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert {"Accept", "Cookie"} <= set(answer.vary)
    assert ">Ann<" not in answer.text
    assert "ask its host" in answer.text
    assert "host" not in client.get("/players/u0", headers=BROWSER).text
    assert "host" not in client.get("/nowhere", headers=BROWSER).text
    assert hidden.lstrip("/") not in show_page(client, "/").text
    assert hidden.lstrip("/") not in show_page(client, f"/players/{ann.id}").text


def test_a_lesson_is_called_one_in_the_lists_of_its_player(
    client: FlaskClient, ann: Api, annals: Annals
) -> None:
    private = open_table(ann, game="qin", visibility="private")
    ann.post("/v1/games/qin/lessons/first")
    fold_lists(annals)
    client.post("/v1/session", json={"token": ann.token}, headers=ORIGIN)
    rows = show_page(client, "/turns").text.split('<li id="m-')[1:]
    assert len(rows) == 2
    for row in rows:
        is_lesson = not row.startswith(private.rpartition("/")[2])
        assert ("lesson: Your first match" in row) == is_lesson
        assert ("private ·" in row) != is_lesson


def test_the_link_of_a_private_table_invites_until_its_seats_are_taken(
    client: FlaskClient, app: Flask, ann: Api, bob: Api
) -> None:
    seats = [{"me": True}, {"open": True}, {"open": True}]
    path = open_table(ann, game="qin", visibility="private", seats=seats)
    address = path.removeprefix("/v1")
    own = client.get(address, headers={**BROWSER, "Authorization": f"Bearer {ann.token}"})
    assert own.status_code == 404  # pages know their visitors by cookie only
    client.post("/v1/session", json={"token": ann.token}, headers=ORIGIN)
    [invitation] = re.findall(r'data-link="\?invite=(\w+)"', show_page(client, address).text)
    client.delete_cookie("annals_session")
    link = f"{address}?invite={invitation}"
    assert ">Ann<" in show_page(client, link).text
    for wrong in ("", "?invite=", f"?invite={invitation[:-1]}"):
        assert client.get(f"{address}{wrong}", headers=BROWSER).status_code == 404
        given = {"invitation": wrong.removeprefix("?invite=") or None}
        assert bob.post(f"{path}/seats", given).status_code == 404
    for player in (bob, register(app, "Cid")):
        assert player.get(path).status_code == 404
        assert player.post(f"{path}/seats", {"invitation": invitation}).status_code == 201
        assert player.get(path).status_code == 200
    assert client.get(link, headers=BROWSER).status_code == 404
