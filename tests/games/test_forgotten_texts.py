"""If a game lacks a text, the check that fails names the game, the file and what is missing."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from domain.engine.contract.schemas import game_schemas
from domain.engine.resources.folder import load
from tests.architecture.layout import TOY as FOLDER
from tests.engine.toy import GAME as TOY
from tests.games import every_example, every_language, every_sentence
from tests.games.seen import AnyGame

NUMBERS = count(1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder of the toy, which is a package that nothing has read before."""
    monkeypatch.syspath_prepend(tmp_path)
    return Path(shutil.copytree(FOLDER, tmp_path / f"forgetful_{next(NUMBERS)}"))


def read_game(folder: Path) -> AnyGame:
    return replace(TOY, key=folder.name, resources=load(folder.name))


def forget(path: Path, key: str) -> None:
    """Remove an entry of a file."""
    entries = json.loads(path.read_text())
    del entries[key]
    path.write_text(json.dumps(entries))


@pytest.mark.parametrize(
    ("key", "check"),
    [
        ("title", every_language.what_is_chosen_for_a_match_has_a_text),
        ("goal", every_language.what_is_chosen_for_a_match_has_a_text),
        ("level_easy", every_language.what_is_chosen_for_a_match_has_a_text),
        ("option_rounds", every_language.what_is_chosen_for_a_match_has_a_text),
        ("GaveIn", every_sentence.every_event_is_described_without_optional_fields),
        ("ask_Respond", every_sentence.every_step_that_waits_is_asked_for),
        ("ask_Respond_you", every_sentence.every_prompt_has_both_persons),
        ("touch_pass", every_sentence.every_name_can_be_said),
        ("score_prizes", every_sentence.scores_and_ends_have_headings),
        ("end_cards", every_sentence.scores_and_ends_have_headings),
        ("fault_too_low", every_language.every_refusal_has_a_text),
        ("fallback_Respond", every_language.every_refusal_has_a_text),
        ("example_too_low", every_example.examples_exist_and_have_texts),
    ],
)
def test_a_forgotten_text_is_named(folder: Path, key: str, check: Any) -> None:
    forget(folder / "texts/en.json", key)
    with pytest.raises(KeyError) as forgotten:
        check(read_game(folder), 2)
    assert str(forgotten.value) == f"{folder.name}/texts/en.json has no text `{key}`."


@pytest.mark.parametrize("key", ["GaveIn", "ask_Choose", "has_sealed", "title"])
def test_a_forgotten_translation_is_named(folder: Path, key: str) -> None:
    forget(folder / "texts/zh-Hans.json", key)
    with pytest.raises(KeyError) as forgotten:
        every_sentence.languages_say_the_same(read_game(folder), 2)
    assert str(forgotten.value) == f"{folder.name}/texts/zh-Hans.json has no text `{key}`."


def test_a_forgotten_description_of_a_field_is_named(folder: Path) -> None:
    forget(folder / "fields.json", "prize")
    with pytest.raises(KeyError) as forgotten:
        game_schemas(read_game(folder))
    assert f"`View.prize` of the game `{folder.name}`" in str(forgotten.value)
    assert "`prize` in fields.json" in str(forgotten.value)


def test_a_forgotten_rule_is_named(folder: Path) -> None:
    book = folder / "RULES.zh-Hant.md"
    book.write_text(book.read_text().replace("### TOY-3.3", ""))
    with pytest.raises(AssertionError, match=rf"{folder.name}: RULES\.zh-Hant\.md"):
        every_language.it_has_texts_and_rules_in_each_language(read_game(folder), 2)


@pytest.mark.parametrize(
    "file", ["texts/zh-Hans.json", "RULES.zh-Hans.md", "AID.zh-Hans.md", "TURN.zh-Hans.md"]
)
def test_a_forgotten_language_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(KeyError) as forgotten:
        every_language.it_has_texts_and_rules_in_each_language(read_game(folder), 2)
    assert str(forgotten.value) == f"There is no file {folder.name}/{file}."
