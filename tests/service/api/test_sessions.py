"""Browser sessions: the cookie that signs a browser in is hidden from scripts and useless to other
sites.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.games import GAMES
from service.accounts.tokens import MAX_TOKENS_PER_PLAYER
from service.http.cookies import browser_name
from service.matches.container import Annals
from tests.service.api.conftest import Api, Clock, moves, open_table, register
from tests.service.api.seated import table
from tests.service.api.streams import events_in, streaming
from tests.support.apps import app_over

OWN = {"Sec_Fetch_Site": "same-origin"}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
YEAR_S = 365 * 86_400


class Browser(Api):
    """A browser with a page of the service, from which it sends its cookies."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.cookie: str | None = None

    def __call__(
        self, method: str, path: str, body: Any = None, **headers: str | None
    ) -> TestResponse:
        asked = {**OWN, "Cookie": self.cookie, "User_Agent": FIREFOX, **headers}
        answer = super().__call__(method, path, body, **asked)
        if (given := answer.headers.get("Set-Cookie")) is not None:
            self.cookie = None if "Max-Age=0" in given else given.partition(";")[0]
        return answer

    def sign_in(self, **by: str) -> TestResponse:
        """With a `token` or a `code`."""
        return self.post("/v1/session", by)


@pytest.fixture
def browser(app: Flask) -> Browser:
    return Browser(app)


@pytest.fixture
def ann_browser(browser: Browser, ann: Api) -> Browser:
    """A browser with Ann's session."""
    assert browser.sign_in(token=ann.token or "").status_code == 201
    return browser


def test_a_browser_is_signed_in_with_a_token(browser: Browser, ann: Api) -> None:
    answer = browser.sign_in(token=ann.token or "")
    assert answer.status_code == 201
    assert answer.json == {"player": {"id": ann.id, "name": "Ann"}}
    assert answer.headers["Cache-Control"] == "no-store"
    kept, *how = answer.headers["Set-Cookie"].split("; ")
    assert kept.startswith("annals_session=annals_")
    assert ann.token not in kept, "the cookie is no way to the token of the account"
    assert {"HttpOnly", "Path=/", "SameSite=Lax", f"Max-Age={YEAR_S}"} <= {*how}
    assert "Secure" not in how
    assert browser.get("/v1/me").json["id"] == ann.id


@pytest.mark.parametrize("game", GAMES)
def test_a_browser_plays_every_game(game: str, app: Flask) -> None:
    at = table(app, game, GAMES[game].seats[0])
    player, some = at.menus()[0]
    browser = Browser(app)
    browser.sign_in(token=player.token or "")
    assert browser.post(f"{at.path}/preview", {"move": some[0]}).status_code == 200
    assert browser.post(f"{at.path}/moves", {"move": some[0]}).status_code == 201


def test_over_tls_the_cookie_stays_there(annals: Annals, ann: Api) -> None:
    settings = replace(annals.settings, proxies=1)
    browser = Browser(app_over(replace(annals, settings=settings)))
    for scheme, secure in (("https", True), ("http", False)):
        answer = browser.post("/v1/session", {"token": ann.token}, X_Forwarded_Proto=scheme)
        assert ("Secure" in answer.headers["Set-Cookie"].split("; ")) == secure


def test_after_signing_out_the_browser_is_anonymous(
    ann_browser: Browser, app: Flask, ann: Api
) -> None:
    kept = ann_browser.cookie
    answer = ann_browser.delete("/v1/session")
    assert answer.status_code == 204
    assert answer.headers["Set-Cookie"].startswith("annals_session=; ")
    assert ann_browser.get("/v1/me").status_code == 401
    ann_browser.cookie = kept
    assert ann_browser.get("/v1/me").status_code == 401, "the session itself has ended"
    assert ann_browser.get("/v1/matches").status_code == 200, "everybody may look"
    assert ann_browser.delete("/v1/session").status_code == 204
    assert ann.get("/v1/me").status_code == 200


def test_sessions_are_listed_and_ended_one_by_one(ann_browser: Browser, ann: Api) -> None:
    account, session = ann_browser.get("/v1/me/tokens").json["tokens"]
    assert (account["session"], account["current"]) == (False, False)
    assert (session["session"], session["current"]) == (True, True)
    assert session["name"] == "Firefox, Linux"
    assert session["scopes"] == ["read", "play", "host", "account"]
    assert session["expires_at"] == "2024-11-13T22:13:20.000Z"
    assert [one["current"] for one in ann.get("/v1/me/tokens").json["tokens"]] == [True, False]
    assert ann.delete(f"/v1/me/tokens/{session['id']}").status_code == 204
    assert ann_browser.get("/v1/me").status_code == 401


def test_signing_in_again_replaces_the_session_of_the_browser(
    ann_browser: Browser, bob: Api
) -> None:
    before = ann_browser.cookie
    assert ann_browser.sign_in(token=bob.token or "").json["player"]["id"] == bob.id
    assert ann_browser.get("/v1/me").json["id"] == bob.id
    ann_browser.cookie = before
    assert ann_browser.get("/v1/me").status_code == 401


def test_the_oldest_session_makes_room(annals: Annals, app: Flask, ann: Api, clock: Clock) -> None:
    for number in range(MAX_TOKENS_PER_PLAYER - 2):
        annals.players.tokens.issue_named(ann.id, f"bot {number}", ("play",), None, 0)
    first, second = Browser(app), Browser(app)
    for browser in (first, second):
        clock.ms += 1
        assert browser.sign_in(token=ann.token or "").status_code == 201
    assert first.get("/v1/me").status_code == 401
    assert second.get("/v1/me").status_code == 200
    assert second.delete("/v1/session").status_code == 204
    annals.players.tokens.issue_named(ann.id, "one more bot", ("play",), None, 0)
    assert first.sign_in(token=ann.token or "").json["code"] == "too_many_tokens"


def test_another_device_is_signed_in_by_a_code(
    ann_browser: Browser, app: Flask, ann: Api, clock: Clock
) -> None:
    answer = ann_browser.post("/v1/session/codes")
    assert answer.headers["Cache-Control"] == "no-store"
    code = answer.json["code"]
    assert len(code.replace("-", "")) == 10
    assert answer.json["expires_at"] == "2023-11-14T22:23:20.000Z"
    other = Browser(app)
    assert other.sign_in(code=f" {code.lower().replace('-', ' ')}").json["player"]["id"] == ann.id
    assert other.get("/v1/me").status_code == 200
    again = Browser(app).sign_in(code=code)
    assert (again.status_code, again.json["code"]) == (403, "bad_code")


def test_a_code_is_stored_only_as_its_hash(annals: Annals, ann: Api) -> None:
    code = ann.post("/v1/session/codes").json["code"].replace("-", "")
    [key] = annals.store.redis.keys("session:code:*")
    assert code.encode() not in key
    assert 0 < annals.store.redis.ttl(key) <= 600


@pytest.mark.parametrize("end", ["recovers", "ends the session", "leaves"])
def test_a_code_ends_with_the_session_that_requested_it(
    end: str, ann_browser: Browser, app: Flask, ann: Api, nobody: Api
) -> None:
    codes = ann.post("/v1/me/recovery-codes").json["recovery_codes"]
    code = ann_browser.post("/v1/session/codes").json["code"]
    if end == "recovers":
        nobody.post("/v1/recovery", {"name": "Ann", "code": codes[0]})
    elif end == "leaves":
        ann.delete("/v1/me?name=Ann")
    else:
        ann_browser.delete("/v1/session")
    assert Browser(app).sign_in(code=code).json["code"] == "bad_code"


def test_codes_are_not_guessed_for_long(annals: Annals) -> None:
    settings = replace(annals.settings, recoveries=2)
    guesser = Browser(app_over(replace(annals, settings=settings)))
    asked = [guesser.sign_in(code=f"AAAAA-AAAA{n}") for n in "234"]
    assert [answer.status_code for answer in asked] == [403, 403, 429]


def test_a_banned_player_cannot_sign_in(annals: Annals, app: Flask, ann: Api) -> None:
    code = ann.post("/v1/session/codes").json["code"]
    annals.players.ban(ann.id, "spam")
    for by in ({"token": ann.token or ""}, {"code": code}):
        assert Browser(app).sign_in(**by).json["code"] == "banned"
    assert len(annals.players.tokens.of_player(ann.id)) == 1


def test_a_token_for_less_makes_no_session(annals: Annals, browser: Browser, ann: Api) -> None:
    """A session has every scope; so a token with fewer scopes creates none."""
    _, text = annals.players.tokens.issue_named(ann.id, "bot", ("read", "play", "host"), None, 0)
    refused = browser.sign_in(token=text)
    assert (refused.status_code, refused.json["scope"]) == (403, "account")
    assert browser.cookie is None


@pytest.mark.parametrize("body", [{}, {"token": "a", "code": "b"}, {"token": ""}, {"code": None}])
def test_a_request_has_one_credential(browser: Browser, body: Any) -> None:
    assert browser.post("/v1/session", body).status_code == 400


def test_an_unknown_token_signs_no_browser_in(browser: Browser, ann: Api) -> None:
    renewed = ann.post("/v1/me/token").json["token"]
    for text in ("nobody", "annals_x", ann.token or ""):
        assert browser.sign_in(token=text).status_code == 401
    assert browser.sign_in(token=renewed).status_code == 201


ELSEWHERE = {
    "another site": {"Sec_Fetch_Site": "cross-site"},
    "a neighbour": {"Sec_Fetch_Site": "same-site"},
    "the address bar": {"Sec_Fetch_Site": "none"},
    "another site that knows our name": {
        "Sec_Fetch_Site": "cross-site", "Origin": "http://localhost",
    },
    "another origin": {"Sec_Fetch_Site": None, "Origin": "https://evil.example"},
    "another port": {"Sec_Fetch_Site": None, "Origin": "http://localhost:8001"},
    "without TLS": {"Sec_Fetch_Site": None, "Origin": "https://localhost"},
    "a sandbox": {"Sec_Fetch_Site": None, "Origin": "null"},
    "a longer name": {"Sec_Fetch_Site": None, "Origin": "http://localhost.evil.example"},
    "nobody knows": {"Sec_Fetch_Site": None},
}  # fmt: skip
"""Origins of requests that our page did not send."""


@pytest.mark.parametrize("where", ELSEWHERE)
def test_no_other_page_does_anything_by_the_cookie(
    where: str, ann_browser: Browser, toy: str, ann: Api
) -> None:
    sent = ELSEWHERE[where]
    move, version = {"move": moves(ann, toy)[0]}, ann.get(toy).json["version"]
    asked = [
        ("POST", f"{toy}/moves", move), ("POST", "/v1/session/codes", {}), ("DELETE", toy, None),
        ("POST", "/v1/me/token", {}), ("DELETE", "/v1/me?name=Ann", None),
        ("DELETE", "/v1/session", None), ("POST", f"{toy}/preview", move),
    ]  # fmt: skip
    for method, path, body in asked:
        refused = ann_browser(method, path, body, **sent)
        assert (refused.status_code, refused.json["code"]) == (403, "cross_site"), path
        assert "Set-Cookie" not in refused.headers
    assert ann_browser.get("/v1/me", **sent).status_code == 200, "looking changes nothing"
    assert ann.get(toy).json["version"] == version


def test_a_page_does_nothing_for_a_player_whom_it_does_not_show(
    ann_browser: Browser, ann: Api, bob: Api
) -> None:
    """Another player may have signed in since, in another tab, or the session may have ended."""
    codes, meant = "/v1/session/codes", {"Annals-Player": ann.id}
    assert ann_browser.post(codes, **meant).status_code == 201
    ann_browser.sign_in(token=bob.token or "")
    assert ann_browser.post(codes, **meant).json["code"] == "other_player"
    assert ann_browser.post(codes).status_code == 201
    ann_browser.delete("/v1/session")
    assert ann_browser.post(codes, **meant).json["code"] == "other_player"


@pytest.mark.parametrize("where", ELSEWHERE)
def test_no_other_page_can_sign_a_browser_in(where: str, browser: Browser, bob: Api) -> None:
    """Otherwise they would unknowingly play for the owner of that token."""
    refused = browser.post("/v1/session", {"token": bob.token}, **ELSEWHERE[where])
    assert (refused.status_code, refused.json["code"]) == (403, "cross_site")
    assert browser.cookie is None


@pytest.mark.parametrize(
    "origin", ["http://localhost", "http://127.0.0.1:8000", "https://annals.example"]
)
def test_without_tls_the_origin_says_that_it_is_our_page(
    annals: Annals, ann: Api, origin: str
) -> None:
    public = "https://annals.example/games/" if "annals" in origin else ""
    settings = replace(annals.settings, public_url=public)
    browser = Browser(app_over(replace(annals, settings=settings)))
    assert browser.sign_in(token=ann.token or "").status_code == 201
    answer = browser("POST", "/v1/session/codes", {}, Sec_Fetch_Site=None, Origin=origin)
    assert answer.status_code == 201


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_no_other_page_reads_what_the_cookie_shows(method: str, ann_browser: Browser) -> None:
    sent = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "GET",
        "Cookie": ann_browser.cookie or "",
    }
    answer = ann_browser.app.test_client(use_cookies=False).open(
        "/v1/me", method=method, headers=sent
    )
    assert answer.status_code in (200, 204)
    assert answer.headers["Access-Control-Allow-Origin"] == "*", "which is for answers to nobody"
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_token_counts_for_more_than_the_cookie(ann_browser: Browser, bob: Api) -> None:
    as_bob = {"Authorization": f"Bearer {bob.token}"}
    assert ann_browser.get("/v1/me", **as_bob).json["id"] == bob.id
    assert ann_browser.get("/v1/me", Authorization="Bearer nobody").status_code == 401
    sent = {**as_bob, "Sec_Fetch_Site": "cross-site"}
    assert ann_browser("POST", "/v1/me/tokens", {"name": "x", "scopes": ["play"]}, **sent).json[
        "id"
    ]


def test_only_sessions_come_as_cookies(browser: Browser, ann: Api) -> None:
    browser.cookie = f"annals_session={ann.token}"
    assert browser.get("/v1/me").status_code == 401


def test_of_two_cookies_of_the_name_none_is_taken(
    ann_browser: Browser, app: Flask, bob: Api
) -> None:
    """A neighbouring site in the domain can add its own cookie, and it may come first."""
    planted, mine = Browser(app), ann_browser.cookie
    planted.sign_in(token=bob.token or "")
    for both in (f"{planted.cookie}; {mine}", f"{mine}; a=b; {planted.cookie}"):
        ann_browser.cookie = both
        assert ann_browser.get("/v1/me").status_code == 401
    for with_others in (f"a=b; {mine}", f"{mine};c", f"x_{planted.cookie}; {mine}"):
        ann_browser.cookie = with_others
        assert ann_browser.get("/v1/me").status_code == 200


@pytest.mark.parametrize("value", ["", "x", "annals_", "a" * 10_000, '"', "%00", "é"])
def test_an_unknown_cookie_is_anonymous(browser: Browser, value: str) -> None:
    browser.cookie = f"annals_session={value}"
    assert browser.get("/v1/matches").status_code == 200
    assert browser.get("/v1/me").status_code == 401


def test_the_streams_of_a_session_end_with_it(ann_browser: Browser, toy: str, ann: Api) -> None:
    with streaming(ann_browser, f"{toy}/stream", Cookie=ann_browser.cookie or "") as stream:
        parts = events_in(stream)
        assert next(parts).startswith(b"retry: ")
        assert ann_browser.delete("/v1/session").status_code == 204
        ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
        assert list(parts) == []


def test_a_session_sees_what_its_player_sees(ann_browser: Browser, toy: str, ann: Api) -> None:
    theirs, nobodys = ann_browser.get(toy), Api(ann_browser.app).get(toy)
    assert theirs.json == ann.get(toy).json != nobodys.json
    assert {"Authorization", "Cookie"} <= set(theirs.vary)
    private = open_table(ann, visibility="private")
    assert ann_browser.get(private).status_code == 200


def test_no_cache_between_keeps_what_the_cookie_shows(ann_browser: Browser, toy: str) -> None:
    for path in ("/v1/me", "/v1/matches", f"{toy}/legal-moves", f"{toy}/events", toy):
        assert "private" in ann_browser.get(path).headers["Cache-Control"], path


def test_the_token_of_the_account_is_replaced_from_a_session(
    ann_browser: Browser, app: Flask, annals: Annals, ann: Api
) -> None:
    _, bot = annals.players.tokens.issue_named(ann.id, "bot", ("read",), None, 0)
    renewed = ann_browser.post("/v1/me/token").json["token"]
    assert ann.get("/v1/me").status_code == 401
    assert Api(app, renewed).get("/v1/me").status_code == 200
    assert ann_browser.get("/v1/me").status_code == 200
    assert Api(app, bot).get("/v1/me").status_code == 200


def test_a_lost_account_ends_all_its_sessions(ann_browser: Browser, ann: Api, nobody: Api) -> None:
    codes = ann_browser.post("/v1/me/recovery-codes").json["recovery_codes"]
    assert nobody.post("/v1/recovery", {"name": "Ann", "code": codes[0]}).status_code == 201
    assert ann_browser.get("/v1/me").status_code == 401


def test_deleting_an_account_ends_its_session(ann_browser: Browser, app: Flask) -> None:
    assert ann_browser.delete("/v1/me?name=Ann").status_code == 204
    assert ann_browser.get("/v1/me").status_code == 401
    assert register(app, "Ann").id


AGENTS = {
    FIREFOX: "Firefox, Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/141.0.0.0 Safari/537.36": "Chrome, Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0": "Edge, Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.6 Mobile/15E148 Safari/604.1": "Safari, iPhone",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/141.0.0.0 Mobile Safari/537.36": "Chrome, Android",
    "curl/8.14": "Browser",
    "": "Browser",
    "<script>": "Browser",
}


@pytest.mark.parametrize(("agent", "name"), AGENTS.items())
def test_a_session_is_called_like_its_browser(agent: str, name: str) -> None:
    assert browser_name(agent) == name
