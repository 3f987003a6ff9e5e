"""The index lists every guide, and no link of any guide is broken."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from posixpath import dirname, join, normpath

import pytest

from domain.games import GAMES
from service.http import guides
from service.http.guides import GUIDES
from tests.architecture.layout import ROOT


class Page(HTMLParser):
    """The links, ids and texts of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and tag == "a":
                self.links.append(str(value))
            if name == "id":
                self.ids.append(str(value))


@cache
def page(address: str) -> Page:
    """The page at an address, rendered on demand."""
    return Page(guides.render(address.removeprefix("/guide/")))


HTTPS = "https://"
PAGES = [f"/guide/{name}" for name in GUIDES]


def test_every_page_of_the_repository_is_a_guide_and_no_other() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("domain/games/*/RULES.md")]
    paths = [guide.path for guide in GUIDES.values()]
    assert sorted(paths) == sorted(str(page.relative_to(ROOT)) for page in pages)


def test_no_two_guides_have_one_address() -> None:
    nav = list(guides.read_guides(guides.NAVIGATION))
    assert len(nav) == len(GUIDES) == len(guides.ADDRESSES)


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_its_guide_and_its_rules(key: str) -> None:
    assert (GUIDES[key].section, GUIDES[key].title) == ("Games", GAMES[key].title)
    assert GUIDES[f"{key}-rules"].text == (ROOT / f"domain/games/{key}/RULES.md").read_text()
    assert f"/guide/{key}-rules" in page(f"/guide/{key}").links


@pytest.mark.slow
def test_every_link_between_guides_leads_to_an_existing_heading() -> None:
    inner = [(at, link) for at in PAGES for link in page(at).links if not link.startswith(HTTPS)]
    for address, link in inner:
        target, _, anchor = link.partition("#")
        assert (target or address) in PAGES, (address, link)
        assert not anchor or anchor in page(target or address).ids, (address, link)


def test_every_link_leads_to_a_file_on_a_plain_git_host() -> None:
    for guide in GUIDES.values():
        for link in re.findall(r"\]\((?!https://)([^)#\s]+)[)#]", guide.text):
            path = ROOT / normpath(join(dirname(guide.path), link))
            assert path.is_file(), (guide.path, link)


def test_no_id_on_a_page_occurs_twice() -> None:
    for address in PAGES:
        assert len(page(address).ids) == len(set(page(address).ids)), address


def test_the_contents_list_every_guide_once() -> None:
    assert Page(guides.contents()).links == PAGES


def test_no_code_in_a_table_is_cut_in_two_by_a_bar() -> None:
    for name in GUIDES:
        cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", guides.render(name))
        assert [cell for cell in cells if "`" in cell] == [], name


def test_a_broken_link_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = guides.Guide("Playing", "Bad", "docs/bad.md")
    text = "# Bad\n\n[there](dice.md#in-short), [gone](gone.md), [out](../README.md)"
    monkeypatch.setattr(guides.Guide, "text", property(lambda _: text))
    monkeypatch.setitem(GUIDES, "bad", bad)
    links = Page(guides.render.__wrapped__("bad")).links
    assert links == ["/guide/dice#in-short", "gone.md", "/guide/readme"]


def test_the_decisions_are_listed_in_order_with_their_titles_and_status() -> None:
    folder = ROOT / "docs/decisions"
    listed = re.findall(
        r"\| (\d+) \| \[(.+?)\]\((.+?)\) \| (.+) \|", (folder / "README.md").read_text()
    )
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [name for _, _, name, _ in listed] == pages
    for number, (said, title, name, status) in enumerate(listed, 1):
        assert int(said) == int(name[:2]) == number
        text = (folder / name).read_text()
        assert text.startswith(f"# {number}. {title}\n\nStatus: {status}")
        assert re.fullmatch(r"(accepted|superseded by .+|deprecated), \d{4}-\d\d-\d\d", status)


def test_the_status_comes_before_the_context() -> None:
    for page in (ROOT / "docs/decisions").glob("[0-9]*.md"):
        assert re.search(r"^# .+\n\nStatus: [^#]+\n\n## Context\n", page.read_text()), page


def test_a_decision_has_its_four_parts() -> None:
    for page in (ROOT / "docs/decisions").glob("[0-9]*.md"):
        parts = re.findall(r"^## (\w+)", page.read_text(), re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences", "Alternatives"], page.name
