"""The pages of the rules: how a turn goes, the player aid, and the search; without a browser."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.test_pages import BROWSER, resolve, show_page
from tests.service.api.conftest import Api


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_lead_with_how_a_turn_goes(client: FlaskClient, game: str, language: str) -> None:
    """In the language of the page, with the examples that it names drawn, before the chapters."""
    text = show_page(client, f"/rules/{game}", **{"Accept-Language": language}).text
    turn = GAMES[game].resources.turns[language]
    before, after = text.index('id="turn"'), text.index('id="chapter-1"')
    heading = re.search("^## (.+)$", turn, re.MULTILINE)
    assert heading
    assert before < text.index(f"<h2>{heading[1]}</h2>") < after
    drawn = re.findall(r"/examples/(\w+)\.svg\?after=true", text[before:after])
    named = re.findall(r"^!\[\]\((\w+)\)$", turn, re.MULTILINE)
    assert list(dict.fromkeys(drawn)) == named


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_player_aid_is_a_page_and_on_the_page_of_a_match(
    client: FlaskClient, ann: Api, game: str, language: str
) -> None:
    """All rules that it cites are links, to the numbers in the rule book."""
    one = GAMES[game]
    seats = [{"me": True}, *({"bot": one.levels[0].key} for _ in range(one.seats[0] - 1))]
    path = ann.post("/v1/matches", {"game": game, "seats": seats}).headers["Location"]
    cited = re.findall(r"[A-Z]+-\d+\.\d+", one.resources.aids[language])
    for address in (f"/rules/{game}/aid", path.removeprefix("/v1")):
        text = show_page(client, address, **{"Accept-Language": language}).text
        aid = text.partition("popover tabindex")[2] or text.partition("<h1>")[2]
        links = re.findall(r'class="rule" href="([^"]+)">([A-Z]+-[\d.]+)<', aid)
        assert [number for _, number in links] == cited, address
        there = {resolve(address, link.partition("#")[0]) for link, _ in links}
        assert there == {f"/rules/{game}"}
        assert all(link.endswith(f"#{number}") for link, number in links)


def test_rules_are_found_by_all_words_of_a_query(client: FlaskClient) -> None:
    rules = GAMES["qin"].rulebook.rules
    found = r'<a href="#([A-Z]+-[\d.]+)">[^<]+</a>\s(.*?)</p>'

    def search(query: str, language: str = "en") -> list[tuple[str, str]]:
        page = client.get(f"/rules/qin?query={query}&language={language}", headers=BROWSER)
        return re.findall(found, page.text.partition('id="found"')[2].partition("</section>")[0])

    both = [number for number, text in rules.items() if "major" in text and "pagoda" in text]
    assert [number for number, _ in search("pagoda MAJOR")] == both
    assert all("<mark>" in excerpt for _, excerpt in search("pagoda MAJOR"))
    assert [number for number, _ in search("qin-4.3")][:1] == ["QIN-4.3"]
    assert "QIN-2.7" in [number for number, _ in search("\u4e3b\u57ce", "zh-Hans")]
    assert search("%3Cscript%3E") == search("nonsense") == search("") == []


def test_a_query_is_shown_as_it_is_and_runs_nothing(client: FlaskClient) -> None:
    page = show_page(client, "/rules/qin?query=%3Cb%3Epagoda%3C%2Fb%3E")
    assert "&lt;b&gt;pagoda&lt;/b&gt;" in page.text
    assert "<b>pagoda" not in page.text
