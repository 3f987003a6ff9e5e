"""The browser of a banned player is signed out: it shows the public pages, says why it can do no
more, and another player can sign in. Static files ignore the session; pages that do not exist count
too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.front.app import create_app
from service.matches.container import Annals, open_annals
from service.page.assets import asset_path
from service.runtime.settings import Settings
from tests.page.test_pages import BROWSER, PageContent, resolve
from tests.service.api.conftest import BOTH, Api, open_table, register
from tests.support.redis_process import RedisProcess

OWN = {"Sec-Fetch-Site": "same-origin"}
STYLES, MANIFEST = f"/{asset_path('frame.css')}", "/page/manifest.webmanifest"
WHY = "nothing but shouting"


def sign_in(app: Flask, player: Api) -> FlaskClient:
    """A browser with a session of this player."""
    client = app.test_client()
    answer = client.post("/v1/session", json={"token": player.token}, headers=OWN)
    assert answer.status_code == 201
    return client


@pytest.fixture
def banned_browser(app: Flask, ann: Api, annals: Annals) -> FlaskClient:
    """The browser of Ann, who was banned."""
    client = sign_in(app, ann)
    annals.players.ban(ann.id, WHY)
    return client


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_banned_player_sees_public_pages_and_the_reason(
    banned_browser: FlaskClient, bob: Api, language: str
) -> None:
    table = open_table(bob, game="qin").removeprefix("/v1")
    rules = [f"/rules/{game}" for game in GAMES]
    for path in ("/", "/turns", "/people", "/settings", f"/players/{bob.id}", table, *rules):
        page = banned_browser.get(path, headers={**BROWSER, "Accept-Language": language})
        assert (page.status_code, 'data-me=""' in page.text) == (200, True), path
        assert WHY in page.text.split('id="kept-out"')[1].split("</p>")[0], path


def test_the_reason_of_a_ban_is_escaped_and_private(
    app: Flask, ann: Api, bob: Api, annals: Annals
) -> None:
    client = sign_in(app, ann)
    annals.players.ban(ann.id, "<b>x</b>")
    assert "<b>x</b>" not in client.get("/", headers=BROWSER).text
    for other in (app.test_client(), sign_in(app, bob)):
        assert 'id="kept-out"' not in other.get("/", headers=BROWSER).text


def test_a_banned_player_reads_what_is_public(banned_browser: FlaskClient, bob: Api) -> None:
    public, private = open_table(bob), open_table(bob, visibility="private")
    for path in ("/v1/games", "/v1/matches", public, f"{public}/events"):
        assert banned_browser.get(path).status_code == 200, path
    assert banned_browser.get(private).status_code == 404
    with banned_browser.get(f"{public}/stream") as stream:
        assert stream.status_code == 200
        assert next(iter(stream.iter_encoded())).startswith(b"retry: ")


def test_every_refusal_to_a_banned_player_gives_the_reason(
    banned_browser: FlaskClient, bob: Api
) -> None:
    table = open_table(bob)
    tried: tuple[tuple[str, str, object], ...] = (
        ("POST", "/v1/players", {"name": "Ann again"}), ("POST", "/v1/matches", {}),
        ("POST", f"{table}/seats", {}), ("POST", f"{table}/moves", {"move": {}}),
        ("POST", "/v1/me/name", {"name": "Anna"}), ("POST", "/v1/session/codes", {}),
        ("DELETE", "/v1/me?name=Ann", None), ("GET", "/v1/me", None),
    )  # fmt: skip
    for method, path, body in tried:
        received = banned_browser.open(path, method=method, json=body, headers=OWN)
        assert received.status_code == 403, path
        assert received.json
        assert (received.json["code"], WHY in received.json["detail"]) == ("banned", True)


def test_a_banned_player_signs_out_also_in_a_page_that_shows_them(
    banned_browser: FlaskClient, ann: Api, annals: Annals
) -> None:
    assert 'data-do="leave"' in banned_browser.get("/settings", headers=BROWSER).text
    elsewhere = banned_browser.delete("/v1/session", headers={"Sec-Fetch-Site": "cross-site"})
    assert (elsewhere.status_code, elsewhere.headers.get("Set-Cookie")) == (403, None)
    answer = banned_browser.delete("/v1/session", headers={**OWN, "Annals-Player": ann.id})
    assert (answer.status_code, "Max-Age=0" in answer.headers["Set-Cookie"]) == (204, True)
    assert 'id="kept-out"' not in banned_browser.get("/", headers=BROWSER).text
    assert [one for one in annals.players.tokens.of_player(ann.id) if one.session] == []


@pytest.mark.parametrize("by", ["token", "code", "recovery code"])
def test_another_player_signs_in_after_a_banned_one(
    by: str, banned_browser: FlaskClient, bob: Api, ann: Api, annals: Annals
) -> None:
    if by == "recovery code":
        code = bob.post("/v1/me/recovery-codes").json["recovery_codes"][0]
        who = {"name": "Bob", "code": code}
        received = banned_browser.post("/v1/recovery", json=who, headers=OWN)
        assert received.status_code == 201
        given = {"token": (received.json or {})["token"]}
    elif by == "code":
        given = {"code": bob.post("/v1/session/codes").json["code"]}
    else:
        given = {"token": bob.token or ""}
    assert banned_browser.post("/v1/session", json=given, headers=OWN).status_code == 201
    assert f'data-me="{bob.id}"' in banned_browser.get("/", headers=BROWSER).text
    assert [one for one in annals.players.tokens.of_player(ann.id) if one.session] == []


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis that the test can stop."""
    server = RedisProcess(tmp_path)
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            server.kill()


def test_static_files_ignore_the_session(store: RedisProcess) -> None:
    settings = Settings(
        redis_url=store.url, events_url=store.url, queue_url=store.url, tokens_cache_seconds=0
    )
    app = create_app(open_annals(settings, BOTH))
    client = sign_in(app, register(app, "Ann"))
    store.kill()
    for path in (STYLES, MANIFEST):
        answer = client.get(path)
        assert (answer.status_code, answer.headers.get("RateLimit")) == (200, None), path
    assert client.get("/rules/qin", headers=BROWSER).status_code == 503
    nowhere = client.get("/nothing", headers=BROWSER)
    assert (nowhere.status_code, nowhere.mimetype) == (404, "text/html")
    assert "RateLimit" in nowhere.headers


NOWHERE = ("/nothing", "/nothing/at/all", "/guide/nothing", "/page/x/nothing.css")


@pytest.mark.parametrize("path", NOWHERE)
def test_a_missing_page_shows_the_signed_in_player(app: Flask, ann: Api, path: str) -> None:
    page = sign_in(app, ann).get(path, headers=BROWSER)
    assert (page.status_code, f'data-me="{ann.id}"' in page.text) == (404, True)


def test_missing_pages_are_counted_like_others(annals: Annals) -> None:
    few = replace(annals, settings=replace(annals.settings, rate=len(NOWHERE)))
    client = create_app(few).test_client()
    for number, path in enumerate(NOWHERE, 1):
        page = client.get(path, headers=BROWSER)
        assert page.status_code == 404
        assert f'"default";r={len(NOWHERE) - number};' in page.headers["RateLimit"], path
    for path in (*NOWHERE, "/turns"):
        page = client.get(path, headers=BROWSER)
        assert (page.status_code, page.mimetype) == (429, "text/html"), path
        assert int(page.headers["Retry-After"]) > 0
    assert client.get(STYLES).status_code == 200


@pytest.mark.parametrize("path", ["/matches%2F{}", "/rules%2Fqin", "/nothing%2F%2f%2Fthere"])
def test_links_are_right_where_a_slash_is_written_otherwise(
    app: Flask, bob: Api, path: str
) -> None:
    address = path.format(open_table(bob, game="qin").rpartition("/")[2])
    client = app.test_client()
    seen = PageContent(client.get(address, headers=BROWSER).text)
    links = [link for link in seen.links() if "/page/" in f"/{link}" and "?" not in link]
    assert links
    for link in links:
        there = resolve(f"/prefix{address}", link)
        assert there.startswith("/prefix/page/"), link
        assert client.get(there.removeprefix("/prefix")).status_code == 200
