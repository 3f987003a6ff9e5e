"""The guides at `/guide`."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from domain.games import GAMES
from service.http.guides import GUIDES
from tests.service.api.conftest import Api

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ALL = ["/guide", *(f"/guide/{name}" for name in GUIDES)]
LINK = r'\b(?:href|src)="(?!https?:|data:)([^"#]+)'


def links(page: str, address: str) -> set[str]:
    """The links of a page to other addresses of the service."""
    return {urljoin(address, link) for link in re.findall(LINK, page)}


@pytest.mark.parametrize("address", [*ALL, "/problems", "/problems/rule_broken"])
def test_every_page_exists_and_so_do_its_links(nobody: Api, address: str) -> None:
    page = nobody.get(address, Accept=BROWSER)
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert links(page.text, address)
    for link in links(page.text, address):
        assert nobody.get(link).status_code == 200, link
    for anchor in set(re.findall(r'href="#([^"]*)', page.text)):
        assert f'id="{anchor}"' in page.text, anchor


@pytest.mark.parametrize("address", [*ALL, "/docs", "/problems", "/problems/rule_broken"])
def test_a_slash_at_the_end_of_an_address_makes_no_difference(nobody: Api, address: str) -> None:
    typed, page = (nobody.get(at, Accept=BROWSER) for at in (f"{address}/", address))
    assert (typed.status_code, typed.mimetype) == (200, "text/html")
    assert links(typed.text, f"{address}/") == links(page.text, address)
    assert re.sub(LINK, "", typed.text) == re.sub(LINK, "", page.text)


@pytest.mark.parametrize("address", [*ALL, "/docs", "/problems", "/problems/rule_broken"])
def test_links_are_relative_so_that_a_prefix_may_stand_before_them(
    nobody: Api, address: str
) -> None:
    page = nobody.get(address, Accept=BROWSER)
    assert [link for link in re.findall(LINK, page.text) if link.startswith("/")] == []
    below = links(page.text, f"/some/prefix{address}")
    assert below == {f"/some/prefix{link}" for link in links(page.text, address)}


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
