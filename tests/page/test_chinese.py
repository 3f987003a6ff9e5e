"""All text on a Chinese page is Chinese, with real matches and results on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.engine.resources.rulebook import ENGLISH, RULE_NUMBER
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.decisions import ending
from service import ratings
from service.accounts.operators import Operators
from service.admin.moderation import Moderation
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.container import Annals
from service.store.backup_state import BackupState, write_state
from tests.page.test_pages import BROWSER, OF_GAMES, resolve
from tests.service.api.conftest import (
    Api,
    fold_lists,
    fold_statistics,
    open_table,
    register,
    system,
)
from tests.service.api.seated import Table
from tests.support.apps import app_over

CHINESE = [language for language in LANGUAGES if language != ENGLISH]
HANSA = GAMES["hansa_teutonica"]
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PEOPLE = ("\u7532", "Guest 0A1B2C")
"""A name in Chinese, and that of a guest, which is in English for readers of English only."""
WORD = re.compile(r"[A-Za-z]{2,}")
UNTRANSLATED = (
    RULE_NUMBER.pattern,
    r"\bAnnals\b",  # the name of the service
    r"Chang Cheng|Reed Clan",  # in the Chinese rules, too
    r"\b(?:JSON|REST|UTC|JavaScript)\b",  # the same in all languages
    r"\b(?:ms|MB|kB)\b",
    r"Webhook|annals run|\bANNALS_\w+",
    r"\b(?:mu|sigma)\b",  # the numbers of a rating, under their names in the API
    r"\b(?:Firefox|Linux)\b",  # a device has the name that its browser sends
    r"Reiner Knizia|Walter Obert|Andreas Steding",  # authors of games
    r"Kamil Cieśla|Robert Plesowicz|Łukasz Włodarczyk",
    *(text for key, text in HANSA.resources.texts[ENGLISH].items() if key.startswith("printed_")),
)
"""What is the same in every language, besides text in `code`; readers look up cities on the printed
map by these names.
"""
SAME = re.compile("|".join(UNTRANSLATED), re.ASCII)
READ = {"alt", "title", "aria-label", "placeholder"}
"""Attributes that screen readers read out."""
UNREAD = {"script", "style", "code", "pre"}
MOVES = 4
SECTIONS = ("", "/players", "/matches", "/webhooks", "/backups", "/settings", "/actions")


class Read(HTMLParser):
    """Collects the texts of a page in the language of the page."""

    def __init__(self, text: str, language: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self._language = language
        self._unread: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._unread:
            self._unread += [tag] * (tag == self._unread[0])
        elif tag in UNREAD or given.get("lang", self._language) != self._language:
            self._unread.append(tag)
        else:
            self.texts += [value for name, value in attrs if name in READ and value]
        if tag == "img" and "/v1/" in (source := given.get("src") or ""):
            self.pictures.append(source)

    def handle_endtag(self, tag: str) -> None:
        if self._unread and tag == self._unread[0]:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.texts.append(data)


LETTER = "[\u2e80-\u9fff\uff00-\uffef]"
"""A Chinese letter, or a mark of full width."""
HALF_WIDTH = re.compile(
    rf"{LETTER} ?[,;:!?()/]|[,;:!?)/] ?{LETTER}|{LETTER} ?\(|\( ?{LETTER}"  # beside a letter
    rf"|{LETTER}\w* \(\d|\d,\d(?!\d\d)|(?:^|[^\w.])-\d|[\"']{LETTER}|{LETTER}[\"']"
)
"""Punctuation as in English: also a name such as `A68 (1)`, lists such as `2,4`, and `-3`."""


def half_width(texts: Sequence[str]) -> list[str]:
    """Each text with punctuation of half width beside Chinese, or in a list of numbers."""
    return [text.strip() for text in texts if HALF_WIDTH.search(SAME.sub("", text))]


def english(texts: Sequence[str]) -> list[str]:
    """Each text that still has a word which could be English."""
    return [text.strip() for text in texts if WORD.search(SAME.sub("", text))]


@pytest.fixture
def people(app: Flask) -> list[Api]:
    return [register(app, name) for name in PEOPLE]


@pytest.fixture
def matches(people: list[Api], annals: Annals) -> list[str]:
    """Pages of matches of each game: in play, finished and rated, and open."""
    paths = []
    for game in GAMES:
        tables = [Table(game, people, begin_match(people, game)) for _ in range(2)]
        for table in tables:
            table.play(MOVES)
        tables[1].end(annals)
        rate(annals, tables[1].path)
        paths += [*(table.path for table in tables), open_table(people[0], game=game)]
    fold_lists(annals)
    fold_statistics(annals)
    return [path.removeprefix("/v1") for path in paths]


def begin_match(people: list[Api], game: str) -> str:
    """The address of a rated match between people, and bots if it takes more seats."""
    bots = [{"bot": GAMES[game].levels[0].key}] * (GAMES[game].seats[0] - len(people))
    host, *others = people
    seats = [{"me": True}, *({"open": True} for _ in others), *bots]
    plan = {"game": game, "seats": seats, "undo": "off"}
    path = f"/v1/matches/{host.post('/v1/matches', plan).json['id']}"
    for other in others:
        assert other.post(f"{path}/seats").status_code == 201
    return path


def rate(annals: Annals, path: str) -> None:
    """Rate a match, as a worker does."""
    match = annals.matches.latest(path.rpartition("/")[2])
    people = ratings.competitors_of(match)
    outcome = ratings.rate(annals.store.redis, match.game.key, match.id, people, match.updated_at)
    system(annals, path, lambda match, now: ending.rate(match, outcome.changes))


def pages(matches: list[str], people: list[Api]) -> Iterator[str]:
    yield from ("/", "/?status=active", "/?status=over", "/turns", "/people", "/settings", *matches)
    for game in GAMES:
        yield from (page.format(game) for page in OF_GAMES)
        yield f"/leaderboards/{game}?provisional=true"
        yield from (f"/players/bot:{level.key}" for level in GAMES[game].levels[:1])
    yield from (f"/players/{one.id}" for one in people)


def test_nothing_on_a_page_in_chinese_is_english(
    app: Flask, people: list[Api], matches: list[str]
) -> None:
    found = {}
    for language in CHINESE:
        client = app.test_client()
        client.set_cookie("annals_language", language)
        drawn = set[str]()
        assert is_signed_in(client, people[0])
        for address in pages(matches, people):
            read = show_page(client, address, language)
            found[address, language] = english(read.texts) + half_width(read.texts)
            drawn |= {resolve(address, picture) for picture in read.pictures}
        for address in (one for one in sorted(drawn) if "/examples/" not in one):
            picture = ElementTree.fromstring(client.get(address).data)
            found[address, language] = english(list(texts_of(picture)))
            found[address, language] += half_width(list(texts_of(picture)))
    assert {at: texts for at, texts in found.items() if texts} == {}


def test_the_page_of_operators_has_english_only_where_it_says_so(
    annals: Annals, tmp_path: Path
) -> None:
    here = replace(annals, settings=replace(annals.settings, data=tmp_path, backup=str(tmp_path)))
    app = app_over(here)
    ann = register(app, PEOPLE[0])
    Operators(annals.store.redis).add(ann.id)
    write_state(tmp_path, BackupState("a.backup", 1, failure="The disk is full.", failed_at=2))
    tmp_path.joinpath("log").mkdir()
    tmp_path.joinpath("log", "web-0.log").write_text(
        '{"event": "failed", "level": "error", "timestamp": "2026-01-01T00:00:00Z"}'
    )
    created: Any = ann.post("/v1/webhooks", {"url": "https://hook.example/"}).json
    webhooks = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    webhooks.update_health(created["id"], failures=1, last_error="No answer.", last_error_at=1)
    webhooks.disable(created["id"], "gone", 1)
    Moderation(here, PEOPLE[1]).record("ban", ann.id, "\u8fb1\u7f75")
    for language in CHINESE:
        client = app.test_client()
        client.set_cookie("annals_language", language)
        assert is_signed_in(client, ann)
        for section in SECTIONS:
            read = show_page(client, f"/admin{section}", language)
            assert english(read.texts) + half_width(read.texts) == [], section


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("address", ["/x", "/matches/x", "/rules/x", "/?after=x"])
def test_no_refusal_is_in_english(app: Flask, address: str, language: str) -> None:
    client = app.test_client()
    client.set_cookie("annals_language", language)
    answer = client.get(address, headers=BROWSER)
    assert answer.status_code >= 400
    assert english(Read(answer.text, language).texts) == []


@pytest.mark.parametrize("text", ["Send a token", "\u72c0\u614b over", "<p>of</p>"])
def test_english_text_is_detected(text: str) -> None:
    assert english(Read(text, CHINESE[0]).texts) != []


def texts_of(picture: Element) -> Iterator[str]:
    """The texts in a picture."""
    for element in picture.iter():
        if not element.tag.endswith("style"):
            yield element.text or ""


def show_page(client: FlaskClient, address: str, language: str) -> Read:
    answer = client.get(address, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (200, "text/html"), address
    return Read(answer.text, language)


def is_signed_in(client: FlaskClient, player: Api) -> bool:
    """Whether a browser has a session."""
    page = {"Origin": "http://localhost", "User-Agent": AGENT}
    answer = client.post("/v1/session", json={"token": player.token}, headers=page)
    return answer.status_code == 201
