"""Every page answers in every language, for every game, without a browser, and asks nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from html.parser import HTMLParser
from posixpath import join, normpath
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.matches.container import Annals
from service.page.assets import ASSETS, MODULE, VERSION, imports
from service.page.views.new_table import changed, options_of
from tests.engine.toy import GAME as TOY
from tests.games.seen import AnyGame
from tests.service.api.conftest import Api, fold_lists, opened, play_on

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
OF_GAMES = ("/rules/{}", "/leaderboards/{}", "/statistics/{}", "/new/{}")
ALONE = ("/", "/?status=active&seats=2&clock=slow", "/turns", "/settings")
TABLE_SCRIPT = 35_000
"""Bytes as they are written: of the modules of the page of a match."""
FRAME_SCRIPT = 25_000
"""Bytes as they are written: of all others of ours."""
OF_TABLE = {"board", "clocks", "live", "log", "match", "replay", "touch"}
"""Modules of the page of a match; all others are those of the frame."""


class Seen(HTMLParser):
    """What a page holds: elements with their attributes, ids, and what is written in scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[str] = []
        self._in: tuple[str, dict[str, str | None]] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in = (tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self._in = None

    def handle_data(self, data: str) -> None:
        tag, attrs = self._in or ("", {})
        is_data = attrs.get("type") == "application/json"
        if tag in ("script", "style") and data.strip() and not is_data:
            self.inline.append(data)

    def links(self) -> Iterator[str]:
        for _, attrs in self.elements:
            yield from (link for name in ("href", "src") if (link := attrs.get(name)))

    @property
    def ids(self) -> list[str]:
        return [name for _, attrs in self.elements if (name := attrs.get("id"))]


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser of somebody unknown."""
    return app.test_client()


@pytest.fixture
def match(ann: Api, bob: Api, annals: Annals) -> str:
    """The path of a match of Qin in play."""
    path = opened(ann, bob, game="qin")
    play_on(path, ann, bob, until=6)
    fold_lists(annals)
    return path.removeprefix("/v1")


def shown(client: FlaskClient, address: str, **headers: str) -> TestResponse:
    answer = client.get(address, headers={**BROWSER, **headers})
    assert (answer.status_code, answer.mimetype) == (200, "text/html"), address
    return answer


def addresses(match: str, ann: Api) -> Sequence[str]:
    of_games = [page.format(game) for page in OF_GAMES for game in GAMES]
    return [*ALONE, *of_games, f"/players/{ann.id}", "/players/bot:li_mu", match]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_every_language(
    client: FlaskClient,
    match: str,
    ann: Api,
    language: str,
) -> None:
    for address in addresses(match, ann):
        text = shown(client, address, **{"Accept-Language": language}).text
        assert f'<html lang="{language}"' in text, address
        assert len(re.findall(r"<h1\b", text)) == 1, address


def test_pages_have_nothing_inline_and_ask_nobody_else(
    client: FlaskClient,
    match: str,
    ann: Api,
) -> None:
    for address in addresses(match, ann):
        answer = shown(client, address)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "no-cache" in answer.headers["Cache-Control"], "names change"
        seen = Seen(answer.text)
        assert seen.inline == [], address
        for tag, attrs in seen.elements:
            assert not [name for name in attrs if name == "style" or name.startswith("on")], tag
        assert [link for link in seen.links() if urlsplit(link).netloc] == [], address
        assert len(set(seen.ids)) == len(seen.ids), address


def test_links_lead_somewhere_also_below_a_prefix(
    client: FlaskClient,
    match: str,
    ann: Api,
) -> None:
    asked = set[str]()
    for address in addresses(match, ann):
        below = join("/some/prefix", address.lstrip("/"))
        seen = Seen(shown(client, address).text)
        for link in seen.links():
            parts = urlsplit(link)
            if not parts.path:
                assert not parts.fragment or parts.fragment in seen.ids, (address, link)
                continue
            there = resolved(urlsplit(below).path, parts.path)
            assert there.startswith("/some/prefix"), (address, link)
            asked.add(
                (there.removeprefix("/some/prefix") or "/") + (parts.query and f"?{parts.query}")
            )
    for link in sorted(asked):
        answer = client.get(link, headers=BROWSER)
        assert answer.status_code == 200, link
        answer.close()


def resolved(base: str, path: str) -> str:
    """Where a relative path leads from an address."""
    folder = base.rpartition("/")[0]
    return normpath(join(folder, path))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_all_there_to_link_to(client: FlaskClient, game: str) -> None:
    ids = Seen(shown(client, f"/rules/{game}").text).ids
    assert [number for number in GAMES[game].rulebook.rules if number not in ids] == []
    examples = {f"example-{example.key}" for example in GAMES[game].examples}
    assert examples <= set(ids)


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_every_option_of_a_game_can_be_chosen_in_the_form(game: AnyGame) -> None:
    asked = [one["name"] for one in options_of(game, "en")]
    assert asked == list(game.options.__struct_fields__)


def values_of(control: dict[str, Any]) -> Iterator[Any]:
    """All that can be chosen in a form, or what is next to what is usual."""
    match control["kind"]:
        case "choice":
            yield from (one["value"] for one in control["values"])
        case "yes":
            yield from (True, False)
        case "number":
            yield control["default"] + 1
        case "first":
            yield from ("random", *(f"seat:{seat}" for seat in range(control["seats"])))
        case "list":
            for number in range(max(map(len, control["places"]))):
                yield [place[number % len(place)]["value"] for place in control["places"]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_whatever_is_chosen_in_the_form_fits_and_is_told_at_the_table(
    game: AnyGame, language: str
) -> None:
    usual = msgspec.to_builtins(game.options())
    for control in options_of(game, language):
        for value in values_of(control):
            chosen = {control["name"]: value}
            msgspec.convert(chosen, game.options)
            told = changed(game, chosen, language)
            assert list(told) == ([] if value == usual[control["name"]] else [control["says"]])
            assert not [one for one in told.values() if re.search(r"[:_]|True|False|None", one)]


def test_charts_are_in_the_language_of_their_page(client: FlaskClient, ann: Api) -> None:
    client.set_cookie("annals_language", "zh-Hant")
    for address in ("/statistics/qin", "/leaderboards/qin", f"/players/{ann.id}", "/rules/qin"):
        pictures = re.findall(r'<img [^>]*src="([^"]*/v1/[^"]*)"', shown(client, address).text)
        assert [one for one in pictures if "language=zh-Hant" not in one] == [], address


@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_drawn(client: FlaskClient, game: str) -> None:
    seen = Seen(shown(client, f"/rules/{game}").text)
    pictures = [str(attrs["src"]) for tag, attrs in seen.elements if tag == "img"]
    assert len(pictures) >= len(GAMES[game].examples)
    for picture in pictures:
        answer = client.get(f"/{picture.removeprefix('../')}")
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_happened_and_what_is_asked_is_told_without_javascript(
    client: FlaskClient, match: str, nobody: Api, language: str
) -> None:
    """As a spectator is told it by the interface, with links to the rules."""
    page = shown(client, match, **{"Accept-Language": language})
    told = nobody.get(f"/v1{match}/events?words=true&language={language}").json["events"]
    says = [one for entry in reversed(told) for one in entry["says"]]
    log = re.findall(r"<p>(.*?)</p>", page.text.split('id="log"')[1].split("</ol>")[0])
    assert [re.sub(r" <a .*", "", line) for line in log] == [escape(one["text"]) for one in says]
    assert [re.findall(r'#(.*?)">', line) for line in log] == [one["rules"] for one in says]
    now = nobody.get(f"/v1{match}?words=true&language={language}").json["awaiting"]
    assert f">{escape(now[0]['says'])}<" in page.text


def test_tables_are_listed_and_filtered_without_javascript(
    client: FlaskClient,
    ann: Api,
    annals: Annals,
) -> None:
    open_one = opened(ann, game="qin").removeprefix("/v1/")
    fold_lists(annals)
    assert open_one in shown(client, "/").text
    assert open_one in shown(client, "/?game=qin&seats=2&clock=none").text
    for other in ("game=chang_cheng", "seats=4", "clock=slow", "status=active"):
        assert open_one not in shown(client, f"/?{other}").text
    assert 'data-do="join" data-seat="1"' in shown(client, f"/{open_one}").text


def test_who_may_not_know_of_a_match_is_shown_none(
    client: FlaskClient,
    ann: Api,
    annals: Annals,
) -> None:
    hidden = opened(ann, game="qin", visibility="private").removeprefix("/v1")
    fold_lists(annals)
    answer = client.get(hidden, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert {"Accept", "Cookie"} <= set(answer.vary)
    assert ">Ann<" not in answer.text
    assert hidden.lstrip("/") not in shown(client, "/").text
    assert hidden.lstrip("/") not in shown(client, f"/players/{ann.id}").text


def test_names_are_words_and_never_markup(client: FlaskClient, app: Flask) -> None:
    for text in ("<b>x</b>", "javascript:x", '"><script>'):
        for address in (f"/?game={text}", f"/rules/{text}", f"/?language={text}"):
            assert text not in client.get(address, headers=BROWSER).text


@pytest.mark.parametrize(
    "path",
    ["/rules/x", "/players/x", "/new/x", "/statistics/x", "/matches/x", "/x", "/x/y", "/guide/x"],
)
def test_what_is_not_there_is_said_in_a_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={**BROWSER, "Accept-Language": "zh-TW"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert '<html lang="zh-Hant"' in answer.text
    assert client.get(path).mimetype == "application/problem+json"


def test_an_address_of_programs_answers_browsers_as_it_does_programs(client: FlaskClient) -> None:
    assert client.get("/v1/x", headers=BROWSER).mimetype == "application/problem+json"


def test_the_language_of_the_settings_comes_before_that_of_the_browser(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("annals_language", "zh-Hant")
    assert '<html lang="zh-Hant"' in shown(client, "/turns", **{"Accept-Language": "en"}).text
    assert '<html lang="zh-Hans"' in shown(client, "/turns?language=zh-Hans").text
    client.set_cookie("annals_language", "xx")
    assert '<html lang="en"' in shown(client, "/turns").text


def test_programs_get_json_at_the_entrance(client: FlaskClient) -> None:
    assert client.get("/").json["links"]["games"] == "/v1/games"  # type: ignore[index]


def test_files_are_kept_as_long_as_they_are_named_by_their_version(client: FlaskClient) -> None:
    for name, asset in ASSETS.items():
        answer = client.get(f"/page/{VERSION}/{name}")
        assert (answer.status_code, answer.mimetype) == (200, asset.kind)
        assert "immutable" in answer.headers["Cache-Control"]
    assert client.get("/page/old/frame.css").headers["Cache-Control"] == "no-cache"
    for wrong in ("nothing.js", "../frame.py", "..%2Fframe.py", "vendor"):
        assert client.get(f"/page/{VERSION}/{wrong}").status_code == 404


def test_modules_import_what_there_is(client: FlaskClient) -> None:
    for name, asset in ASSETS.items():
        if asset.kind == MODULE:
            assert set(imports(name)) <= set(ASSETS)


def test_own_script_is_small() -> None:
    own = {
        name.removesuffix(".js"): len(asset.content)
        for name, asset in ASSETS.items()
        if asset.kind == MODULE and not name.startswith("vendor/")
    }
    table = sum(own[name] for name in OF_TABLE)
    assert table <= TABLE_SCRIPT, own
    assert sum(own.values()) - table <= FRAME_SCRIPT, own


def test_the_page_can_be_installed(client: FlaskClient) -> None:
    answer = client.get("/page/manifest.webmanifest")
    told: Any = answer.json if answer.is_json else {}
    assert answer.mimetype == "application/manifest+json"
    for icon in told["icons"]:
        there = resolved("/page/manifest.webmanifest", icon["src"])
        assert client.get(there).mimetype == icon["type"]
    assert resolved("/page/manifest.webmanifest", told["start_url"]) == "/"
