"""What a sentence on the operator's page has in backticks, such as a command, is shown as code."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask

import service.page as page_package
from domain.engine.sentences import LANGUAGES
from service.accounts.operators import Operators
from service.admin import health
from service.admin.machine import Process
from service.admin.restarts import RestartRecord
from service.channels.webhooks.subscriptions import Subscriptions
from service.http.cookies import SESSION_COOKIE
from service.matches.container import Annals
from service.page.texts import TEXTS, mark_code, module_text_keys
from service.runtime.config.fields import SETTINGS
from service.runtime.settings import RUN_VARIABLE
from service.store.backup_state import BackupState, write_state
from service.tlog.folder import Folder
from tests.service.api.conftest import NOON, Api
from tests.service.api.test_admin import PAGES
from tests.support.apps import app_over

COMMAND = "annals <doctor>"
SENTENCE = f"Fault: run `{COMMAND}`."
TEMPLATES = Path(page_package.__path__[0]) / "templates"
FOR_OPERATORS = sorted([*TEMPLATES.glob("admin*.html"), TEMPLATES / "setup.html"])
ENGLISH = re.compile(r' lang="en"[^>]*>\{\{ ([^}]+) \}\}')
"""What a template shows in English whatever the language of the page is: what the service says."""
NAMES = {"one.name", "one.event", "one.process", "one.host", "one.action"}
"""What is not a sentence of these."""


class ShownText(HTMLParser):
    """The text of a page that is not code, and each code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rest, self.codes, self._is_code = "", list[str](), False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._is_code = tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._is_code = False

    def handle_data(self, data: str) -> None:
        if self._is_code:
            self.codes.append(data)
        else:
            self.rest += data


@pytest.fixture
def faulty(annals: Annals, ann: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Annals:
    """A service in which all says that something is wrong."""
    annals = replace(annals, settings=replace(annals.settings, data=tmp_path, backup=str(tmp_path)))
    monkeypatch.setattr(health, "describe_fault", lambda *_: SENTENCE)
    monkeypatch.setattr(health, "find_processes", lambda: [Process("web-0", 60, 61)])
    monkeypatch.setenv(RUN_VARIABLE, "r1")
    restarts = RestartRecord("r1", {})
    restarts.add("web-0", NOON, SENTENCE)
    restarts.write(tmp_path)
    write_state(tmp_path, BackupState("b.backup", NOON, 7, 3, SENTENCE, NOON + 1))
    Folder(tmp_path / "tlog").set_stop_reason(SENTENCE)
    line = {"event": "failed", "level": "error", "timestamp": "2023-11-14", "reason": SENTENCE}
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "web-0.log").write_text(json.dumps(line), encoding="utf-8")
    created = ann.post("/v1/webhooks", {"url": "https://hook.example/"}).json
    subscriptions = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    subscriptions.update_health(
        (created or {})["id"], failures=5, failing_since=NOON, last_error=SENTENCE,
        last_error_at=NOON,
    )  # fmt: skip
    return annals


def shown_to_operator(annals: Annals, operator: Api, address: str) -> ShownText:
    browser = app_over(annals).test_client()
    token = annals.players.tokens.issue_session(operator.id, "Firefox", NOON)
    browser.set_cookie(SESSION_COOKIE, token)
    return ShownText(browser.get(address, headers={"Accept": "text/html"}).text)


def test_no_sentence_has_backticks_in_any_language(faulty: Annals, bob: Api) -> None:
    Operators(faulty.store.redis).add(bob.id)
    found = 0
    for language in LANGUAGES:
        for page in PAGES:
            shown = shown_to_operator(faulty, bob, f"/admin{page}?language={language}")
            assert "`" not in shown.rest, (page, language)
            found += shown.codes.count(COMMAND)
    assert found == len(LANGUAGES) * 7  # two pages say why a backup failed


def test_the_meaning_of_each_setting_has_its_code(faulty: Annals, bob: Api) -> None:
    Operators(faulty.store.redis).add(bob.id)
    shown = shown_to_operator(faulty, bob, "/admin/settings")
    codes = {code for one in SETTINGS.values() for code in re.findall("`([^`]+)`", one.about)}
    assert len(codes) > 20
    assert codes <= {*shown.codes}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_visitor_sees_what_to_run_as_code(app: Flask, ann: Api, language: str) -> None:
    page = app.test_client().get(f"/setup?language={language}", headers={"Accept": "text/html"})
    shown = ShownText(page.text)
    assert "annals admin setup" in shown.codes
    assert "`" not in shown.rest


@pytest.mark.parametrize("template", FOR_OPERATORS, ids=lambda path: path.stem)
def test_each_sentence_of_the_service_is_marked(template: Path) -> None:
    """The next one, too."""
    for shown in ENGLISH.findall(template.read_text(encoding="utf-8")):
        assert shown in NAMES or shown.endswith("|code"), shown


def test_each_text_with_code_is_marked_where_a_template_says_it() -> None:
    keys = {key for texts in TEXTS.values() for key, text in texts.items() if "`" in str(text)}
    templates = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.html"))
    assert keys
    assert not keys & module_text_keys()
    for key in keys:
        said = re.findall(rf'words\("{key}"[^}}]*', templates)
        assert said, key
        assert all("|code" in one for one in said), key


def test_only_pairs_are_code_and_all_is_escaped() -> None:
    assert mark_code("a `b<` <c>") == "a <code>b&lt;</code> &lt;c&gt;"
    assert mark_code("`a` or `b`") == "<code>a</code> or <code>b</code>"
    assert mark_code("it`s") == "it`s"
