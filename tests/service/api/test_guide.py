"""The guides at `/guide`."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urljoin

import pytest
from flask import Flask

from domain.games import GAMES
from service.http.guides import GUIDES
from tests.service.api.conftest import Api

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PROBLEMS = ["/problems", "/problems/rule_broken"]
ALL = ["/guide", *(f"/guide/{name}" for name in GUIDES), "/docs", *PROBLEMS]
LINK = r'\b(?:href|src)="(?!https?:|data:)([^"#]+)'


def links(page: str, address: str) -> set[str]:
    """The links of a page to other addresses of the service."""
    return {urljoin(address, link) for link in re.findall(LINK, page)}


@cache
def read_pages(app: Flask) -> dict[str, str]:
    """The pages by address, each read once for all tests."""
    answers = {address: Api(app).get(address, Accept=BROWSER) for address in ALL}
    for address, page in answers.items():
        assert (page.status_code, page.mimetype) == (200, "text/html"), address
    return {address: page.text for address, page in answers.items()}


@pytest.fixture
def pages(app: Flask) -> dict[str, str]:
    return read_pages(app)


def test_every_page_has_links_and_all_of_them_lead_somewhere(
    nobody: Api, pages: dict[str, str]
) -> None:
    for address, text in pages.items():
        assert links(text, address), address
        for anchor in set(re.findall(r'href="#([^"]*)', text)):
            assert f'id="{anchor}"' in text, (address, anchor)
    for link in sorted(set().union(*(links(text, at) for at, text in pages.items()))):
        assert nobody.get(link).status_code == 200, link


def test_a_slash_at_the_end_of_an_address_makes_no_difference(
    nobody: Api, pages: dict[str, str]
) -> None:
    for address in ("/guide", "/guide/readme", "/docs", "/problems"):
        text = pages[address]
        typed = nobody.get(f"{address}/", Accept=BROWSER)
        assert (typed.status_code, typed.mimetype) == (200, "text/html"), address
        assert links(typed.text, f"{address}/") == links(text, address), address
        assert re.sub(LINK, "", typed.text) == re.sub(LINK, "", text), address


def test_links_are_relative_so_that_a_prefix_may_stand_before_them(pages: dict[str, str]) -> None:
    for address, text in pages.items():
        assert [link for link in re.findall(LINK, text) if link.startswith("/")] == [], address
        below = links(text, f"/some/prefix{address}")
        assert below == {f"/some/prefix{link}" for link in links(text, address)}, address


def test_a_page_loads_nothing_from_other_hosts_and_runs_nothing(nobody: Api) -> None:
    page = nobody.get("/guide/readme")
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(
        r"<(script|link|iframe)\b|src=\"(?!data:)|@import|url\((?!#)", page.text
    )  # this path is a pattern there


def test_a_page_is_readable_on_a_phone(nobody: Api) -> None:
    text = nobody.get("/guide/operations").text
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert re.search(r"table \{[^}]*overflow-x: auto", text)
    assert "<title>Run Annals - Annals</title>" in text


@pytest.mark.parametrize("name", ["nothing", "..%2Fsettings.py", "README.md", "shipped"])
def test_there_are_no_other_pages(nobody: Api, name: str) -> None:
    assert nobody.get(f"/guide/{name}").status_code == 404


def test_at_the_entrance_every_game_is_named(nobody: Api) -> None:
    page = nobody.get("/", Accept=BROWSER).text
    assert all(f'href="./rules/{key}"' in page for key in GAMES)
    assert nobody.get("/").json["links"]["guide"] == "/guide"
