"""The report of a game is one self-contained page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.games import GAMES
from tests.workers.tools.report.conftest import MATCHES, Tiny
from workers.host.errors import CannotRun
from workers.tools.tables.questions import QUESTIONS, SECTIONS, answers
from workers.tools.tables.report import command
from workers.tools.tables.report.command import build_page, report
from workers.tools.tables.report.page import POLICY


class Page(HTMLParser):
    """The elements, attributes and words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, list[str]] = {}
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, []).append(value or "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MIN_MATCHES", MATCHES)
    monkeypatch.setattr(answers, "MIN_CASES", MATCHES)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.long] * (game not in ("qin", "great_wall")))
        for game in GAMES
    ],
)
def test_it_has_all_sections_and_loads_nothing(tiny: Tiny, game: str) -> None:
    text = build_page(game, tiny.tables)
    page = Page(text)
    for heading in (GAMES[game].title, *(section.heading for section in SECTIONS)):
        assert any(heading in words for words in page.words)
    for question in QUESTIONS.values():
        assert question.title in page.words
    assert f"{MATCHES} matches of" in " ".join(page.words)
    assert "svg" in page.tags
    assert not {"script", "link", "img", "iframe", "a", "object"} & {*page.tags}
    assert not {"src", "href", "xlink:href", "onload", "onclick"} & page.attributes.keys()
    assert POLICY in page.attributes["content"]
    assert {*re.findall(r"https?://[^\"' <]+", text)} <= {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"url\((?!#)", text)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_it_is_written_to_the_given_file(tiny: Tiny, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    said = CliRunner().invoke(report, ["qin", "--from", tiny.tables, "--out", str(out)])
    assert said.exit_code == 0, said.output
    assert said.output.endswith(f"{out}: the report about Qin\n")
    assert "questions" in said.output
    assert out.read_text("utf-8").startswith("<!doctype html>")


def test_too_few_matches_are_refused(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MIN_MATCHES", MATCHES + 1)
    with pytest.raises(CannotRun, match=f"needs {MATCHES + 1} matches, but {MATCHES} of"):
        build_page("qin", tiny.tables)


def test_a_missing_place_is_named(tiny: Tiny, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "page.html")
    for words, why in (
        (["--from", str(tmp_path)], "There are no tables in"),
        (["--from", tiny.tables, "--out", nowhere], "Cannot write"),
    ):
        refused = CliRunner().invoke(report, ["qin", *words])
        assert isinstance(refused.exception, CannotRun)
        assert why in str(refused.exception)
