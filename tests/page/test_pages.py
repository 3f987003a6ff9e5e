"""Every page answers in every language, for every game, without a browser, and loads nothing from
another host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from posixpath import join, normpath
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.test import TestResponse

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.decisions import absence
from service.accounts.players import Players
from service.matches.container import Annals
from service.page.assets import ASSETS, JAVASCRIPT, VERSION, list_imports
from service.page.texts import words_in
from service.page.views.match_lists import DAY_S, HOUR_S
from service.page.views.new_table import non_default_options, option_controls
from tests.engine.toy import GAME as TOY
from tests.games.seen import AnyGame
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, play_on, system

ORIGIN = {"Origin": "http://localhost"}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
OF_GAMES = ("/rules/{}", "/rules/{}/aid", "/leaderboards/{}", "/statistics/{}", "/new/{}")
ALONE = ("/", "/?status=active&seats=2&clock=slow", "/turns", "/people", "/settings")


class PageContent(HTMLParser):
    """The content of a page: elements with their attributes, ids, and the text of scripts."""

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
def match(ann: Api, bob: Api, annals: Annals) -> str:
    """The path of a match of Qin in play."""
    path = open_table(ann, bob, game="qin")
    play_on(path, ann, bob, until=6)
    fold_lists(annals)
    return path.removeprefix("/v1")


def show_page(client: FlaskClient, address: str, **headers: str) -> TestResponse:
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
        text = show_page(client, address, **{"Accept-Language": language}).text
        assert f'<html lang="{language}"' in text, address
        assert len(re.findall(r"<h1\b", text)) == 1, address


def test_pages_have_nothing_inline_and_load_nothing_from_other_hosts(
    client: FlaskClient,
    match: str,
    ann: Api,
) -> None:
    for address in addresses(match, ann):
        answer = show_page(client, address)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "no-cache" in answer.headers["Cache-Control"], "names change"
        seen = PageContent(answer.text)
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
        seen = PageContent(show_page(client, address).text)
        for link in seen.links():
            parts = urlsplit(link)
            if not parts.path:
                assert not parts.fragment or parts.fragment in seen.ids, (address, link)
                continue
            there = resolve(urlsplit(below).path, parts.path)
            assert there.startswith("/some/prefix"), (address, link)
            asked.add(
                (there.removeprefix("/some/prefix") or "/") + (parts.query and f"?{parts.query}")
            )
    for link in sorted(asked):
        answer = client.get(link, headers=BROWSER)
        assert answer.status_code == 200, link
        answer.close()


def resolve(base: str, path: str) -> str:
    """The target of a relative path from an address."""
    folder = base.rpartition("/")[0]
    return normpath(join(folder, path))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_all_there_to_link_to(client: FlaskClient, game: str) -> None:
    ids = PageContent(show_page(client, f"/rules/{game}").text).ids
    assert [number for number in GAMES[game].rulebook.rules if number not in ids] == []
    examples = {f"example-{example.key}" for example in GAMES[game].resources.examples}
    assert examples <= set(ids)


@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_every_option_of_a_game_can_be_chosen_in_the_form(game: AnyGame) -> None:
    asked = [one["name"] for one in option_controls(game, "en")]
    assert asked == list(game.options.__struct_fields__)


def values_of(control: dict[str, Any]) -> Iterator[Any]:
    """All values of a form control, or those next to its default."""
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
def test_every_choice_in_the_form_is_valid_and_shown_at_the_table(
    game: AnyGame, language: str
) -> None:
    usual = msgspec.to_builtins(game.options())
    for control in option_controls(game, language):
        for value in values_of(control):
            chosen = {control["name"]: value}
            msgspec.convert(chosen, game.options)
            received = non_default_options(game, chosen, language)
            assert list(received) == ([] if value == usual[control["name"]] else [control["label"]])
            assert not [one for one in received.values() if re.search(r"[:_]|True|False|None", one)]


def test_a_profile_says_how_reliable_a_player_is(
    client: FlaskClient, match: str, annals: Annals, ann: Api, bob: Api
) -> None:
    assert "time-out" not in show_page(client, f"/players/{ann.id}").text
    assert bob.post(f"/v1{match}/resign").status_code == 200
    fold_lists(annals)
    for player in ann, bob:
        shown = show_page(client, f"/players/{player.id}").text
        assert "1 of the last 1 matches with other people finished without a time-out" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_say_that_a_player_is_absent_and_offer_the_others_a_vote(
    client: FlaskClient, match: str, annals: Annals, clock: Clock, ann: Api, bob: Api, language: str
) -> None:
    words = words_in(language)
    [late] = annals.matches.latest(match.rpartition("/")[2]).seats_to_move
    clock.ms += 15 * 86_400_000
    system(annals, match, absence.end_patience)
    fold_lists(annals)
    client.set_cookie("annals_language", language)
    for seat, player in enumerate((ann, bob)):
        client.post("/v1/session", json={"token": player.token}, headers=ORIGIN)
        shown = show_page(client, match).text
        assert words("patience") in shown
        offers = words("propose_bot") in shown
        assert (offers, words("absent_you") in shown) == (seat != late, seat == late)
        assert words("absent_row") in show_page(client, "/turns").text


def test_charts_are_in_the_language_of_their_page(client: FlaskClient, ann: Api) -> None:
    client.set_cookie("annals_language", "zh-Hant")
    for address in ("/statistics/qin", "/leaderboards/qin", f"/players/{ann.id}", "/rules/qin"):
        pictures = re.findall(r'<img [^>]*src="([^"]*/v1/[^"]*)"', show_page(client, address).text)
        assert [one for one in pictures if "language=zh-Hant" not in one] == [], address


@pytest.mark.parametrize(
    ("language", "name"), [("en", "Table"), ("zh-Hans", "表"), ("zh-Hant", "表")]
)
def test_what_can_be_scrolled_with_keys_has_a_name(
    client: FlaskClient, language: str, name: str
) -> None:
    text = show_page(client, "/rules/great_wall", **{"Accept-Language": language}).text
    scrolling = [attrs for _, attrs in PageContent(text).elements if attrs.get("role") == "group"]
    assert scrolling
    assert all(name in (attrs.get("aria-label") or "") for attrs in scrolling)


@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_drawn(client: FlaskClient, game: str) -> None:
    seen = PageContent(show_page(client, f"/rules/{game}").text)
    pictures = [str(attrs["src"]) for tag, attrs in seen.elements if tag == "img"]
    assert len(pictures) >= len(GAMES[game].resources.examples)
    for picture in pictures:
        answer = client.get(f"/{picture.removeprefix('../')}")
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_and_the_pending_step_are_shown_without_javascript(
    client: FlaskClient, match: str, nobody: Api, language: str
) -> None:
    """The texts are those that the API gives a spectator, with links to the rules."""
    page = show_page(client, match, **{"Accept-Language": language})
    received = nobody.get(f"/v1{match}/events?sentences=true&language={language}").json["events"]
    says = [one for entry in reversed(received) for one in entry["sentences"]]
    log = re.findall(r"<p>(.*?)</p>", page.text.split('id="log"')[1].split("</ol>")[0])
    assert [re.sub(r" <a .*", "", line) for line in log] == [escape(one["text"]) for one in says]
    assert [re.findall(r'#([A-Z]+-[\d.]+)">', line) for line in log] == [
        one["rules"] for one in says
    ]
    now = nobody.get(f"/v1{match}?sentences=true&language={language}").json["awaiting"]
    assert f">{escape(now[0]['prompt'])}<" in page.text


def test_tables_are_listed_and_filtered_without_javascript(
    client: FlaskClient,
    ann: Api,
    annals: Annals,
) -> None:
    open_one = open_table(ann, game="qin").removeprefix("/v1/")
    fold_lists(annals)
    assert open_one in show_page(client, "/").text
    assert open_one in show_page(client, "/?game=qin&seats=2&clock=none").text
    for other in ("game=chang_cheng", "seats=4", "clock=slow", "status=active"):
        assert open_one not in show_page(client, f"/?{other}").text
    assert 'data-do="join" data-seat="1"' in show_page(client, f"/{open_one}").text


def test_matches_whose_players_have_left_do_not_fill_the_lobby(
    client: FlaskClient, ann: Api, bob: Api, annals: Annals, clock: Clock
) -> None:
    """An hour for one person against bots, a day for several; a clock ends a match by itself."""
    seats = [{"me": True}, {"bot": GAMES["qin"].levels[0].key}]
    plan = {"game": "qin", "seats": seats, "options": {"first_player": "seat:0"}}
    alone = ann.post("/v1/matches", plan).json["id"]
    timed = ann.post("/v1/matches", {**plan, "clock": {"bank_s": 10 * DAY_S}}).json["id"]
    together = open_table(ann, bob, game="qin").rpartition("/")[2]

    def listed(query: str = "") -> list[str]:
        text = show_page(client, f"/?status=active{query}").text
        return re.findall(r'<li id="m-(\w+)">', text)

    for waited_s, left in ((HOUR_S, []), (1, [alone]), (DAY_S, [alone, together])):
        clock.ms += 1_000 * waited_s
        fold_lists(annals)
        every = {alone, timed, together}
        assert set(listed()) == every - set(left), waited_s
        assert set(listed("&idle=1")) == every
        text = show_page(client, "/?status=active&idle=1").text
        assert len(re.findall(r"(?:Ann|Bob) · \d+ · away", text)) == len(left)


def test_names_in_a_match_lead_to_profiles(
    client: FlaskClient, ann: Api, bob: Api, match: str
) -> None:
    text = show_page(client, match).text
    assert re.findall(r'class="who" href="../players/(\w+)"', text) == [ann.id, bob.id]


def test_the_header_has_a_name_that_another_process_has_changed(
    client: FlaskClient, annals: Annals
) -> None:
    player, token = annals.players.register("Before", annals.now())
    client.post("/v1/session", json={"token": token}, headers=ORIGIN)
    assert ">Before<" in show_page(client, "/").text
    Players(annals.store.redis).rename(player, "Afterwards")
    assert ">Afterwards<" in show_page(client, "/").text


def test_names_are_words_and_never_markup(client: FlaskClient, app: Flask) -> None:
    for text in ("<b>x</b>", "javascript:x", '"><script>'):
        for address in (f"/?game={text}", f"/rules/{text}", f"/?language={text}"):
            assert text not in client.get(address, headers=BROWSER).text


@pytest.mark.parametrize(
    "path",
    ["/rules/x", "/players/x", "/new/x", "/statistics/x", "/matches/x", "/x", "/x/y", "/guide/x"],
)
def test_a_missing_resource_gets_a_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={**BROWSER, "Accept-Language": "zh-TW"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert '<html lang="zh-Hant"' in answer.text
    assert client.get(path).mimetype == "application/problem+json"


def test_an_address_of_programs_answers_browsers_as_it_does_programs(client: FlaskClient) -> None:
    assert client.get("/v1/x", headers=BROWSER).mimetype == "application/problem+json"


def test_the_language_of_the_settings_comes_before_that_of_the_browser(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("annals_language", "zh-Hant")
    assert '<html lang="zh-Hant"' in show_page(client, "/turns", **{"Accept-Language": "en"}).text
    assert '<html lang="zh-Hans"' in show_page(client, "/turns?language=zh-Hans").text
    for address in ("/turns", "/turns?language=x", "/settings"):
        following = show_page(client, address, **{"Accept-Language": "en"}).text
        assert ('<html lang="zh-Hans"' in following) == ("?" not in address)
        books = dict(re.findall('rules/([a-z_]+)">([^<]+)<', unescape(following)))
        shown = "en" if "?" in address else "zh-Hans"
        assert {key: game.title_in(shown) for key, game in GAMES.items()}.items() <= books.items()
    client.set_cookie("annals_language", "xx")
    assert '<html lang="en"' in show_page(client, "/turns").text


def test_programs_get_json_at_the_entrance(client: FlaskClient) -> None:
    assert client.get("/").json["links"]["games"] == "/v1/games"  # type: ignore[index]


def test_files_with_a_version_in_their_name_are_cached(client: FlaskClient) -> None:
    for name, asset in ASSETS.items():
        answer = client.get(f"/page/{VERSION}/{name}")
        assert (answer.status_code, answer.mimetype) == (200, asset.media_type)
        assert "immutable" in answer.headers["Cache-Control"]
    assert client.get("/page/old/frame.css").headers["Cache-Control"] == "no-cache"
    for wrong in ("nothing.js", "../frame.py", "..%2Fframe.py", "vendor"):
        assert client.get(f"/page/{VERSION}/{wrong}").status_code == 404


def test_modules_import_what_there_is(client: FlaskClient) -> None:
    for name, asset in ASSETS.items():
        if asset.media_type == JAVASCRIPT:
            assert set(list_imports(name)) <= set(ASSETS)


def test_the_page_can_be_installed(client: FlaskClient) -> None:
    answer = client.get("/page/manifest.webmanifest")
    received: Any = answer.json if answer.is_json else {}
    assert answer.mimetype == "application/manifest+json"
    for icon in received["icons"]:
        there = resolve("/page/manifest.webmanifest", icon["src"])
        assert client.get(there).mimetype == icon["type"]
    assert resolve("/page/manifest.webmanifest", received["start_url"]) == "/"
