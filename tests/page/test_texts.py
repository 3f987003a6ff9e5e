"""The page has every text in every language, and no unused ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import service.page
from domain.engine.sentences import LANGUAGES
from service.page.texts import TEXTS, module_text_keys
from tests.page.sources import SCRIPTS

HERE = Path(service.page.__file__).parent
SAID = re.compile(r'\bwords\(\s*(["\'])(\w+)\1')
NAMED_OTHERWISE = re.compile(r"\bt\((?!key\b)[^\"\s)]")
TEXT_AND_TIME = re.compile(r'words\("(\w+)"[^{]*\}\} *\{\{ *parts\.time\(')
"""A text that a time follows, which becomes "3 minutes ago" or "in 3 minutes"."""
TEXT_WITH_TIME = re.compile(r'parts\.moment\(words\("(\w+)"')
FORMS = ("_zero", "_one", "_other")


def used_text_keys() -> Iterator[str]:
    """The keys of texts that templates and Python code use."""
    for path in [*HERE.rglob("*.py"), *(HERE / "templates").iterdir()]:
        yield from (key for _, key in SAID.findall(path.read_text(encoding="utf-8")))


def has(key: str) -> bool:
    return any(f"{key}{form}" in TEXTS["en"] for form in ("", *FORMS))


def test_every_key_in_use_has_a_text() -> None:
    said = {*used_text_keys(), *module_text_keys()}
    assert {key for key in said if not has(key)} == set()


def test_every_text_is_in_use() -> None:
    said = {f"{key}{form}" for key in used_text_keys() for form in ("", *FORMS)}
    assert TEXTS["en"].keys() - said - module_text_keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_texts_with_the_same_parts(language: str) -> None:
    assert TEXTS[language].keys() == TEXTS["en"].keys()
    for key, text in TEXTS[language].items():
        assert parts(text) == parts(TEXTS["en"][key]), key


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_modules_name_their_texts_where_they_say_them() -> None:
    for name, source in SCRIPTS.items():
        if name != "words.js":
            assert not NAMED_OTHERWISE.findall(source), name


BEFORE_A_POINT = (
    r"(?:\b(?:since|until|for|from|by|at|on|to|last) |(?:始?[于於]|自|[从從]|至|最近) ?)"
)
"""What "3 minutes ago" cannot follow."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_says_since_three_minutes_ago(language: str) -> None:
    templates = [path.read_text(encoding="utf-8") for path in (HERE / "templates").iterdir()]
    followed = {key for one in templates for key in TEXT_AND_TIME.findall(one)}
    texts = [f"{TEXTS[language][key]} {{time}}" for key in followed]
    around = {key for one in templates for key in TEXT_WITH_TIME.findall(one)}
    texts += [TEXTS[language][key] for key in around]
    assert len(texts) > 5
    assert [text for text in texts if re.search(BEFORE_A_POINT + "{time}", text)] == []
