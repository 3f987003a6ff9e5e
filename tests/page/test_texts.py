"""The page says all that it says in every language, and has no words left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import service.page
from domain.engine.sentences import LANGUAGES
from service.page.assets import ASSETS, MODULE
from service.page.texts import TEXTS, keys_of_modules

HERE = Path(service.page.__file__).parent
SAID = re.compile(r'\bwords\(\s*(["\'])(\w+)\1')
NAMED_OTHERWISE = re.compile(r"\bt\((?!key\b)[^\"\s)]")
FORMS = ("_zero", "_one", "_other")


def said_by_templates_and_python() -> Iterator[str]:
    """The keys of texts that are named there."""
    for path in [*HERE.glob("*.py"), *(HERE / "templates").iterdir()]:
        yield from (key for _, key in SAID.findall(path.read_text(encoding="utf-8")))


def has(key: str) -> bool:
    return any(f"{key}{form}" in TEXTS["en"] for form in ("", *FORMS))


def test_whatever_is_said_has_a_text() -> None:
    said = {*said_by_templates_and_python(), *keys_of_modules()}
    assert {key for key in said if not has(key)} == set()


def test_whatever_has_a_text_is_said() -> None:
    said = {f"{key}{form}" for key in said_by_templates_and_python() for form in ("", *FORMS)}
    assert TEXTS["en"].keys() - said - keys_of_modules() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_texts_with_the_same_parts(language: str) -> None:
    assert TEXTS[language].keys() == TEXTS["en"].keys()
    for key, text in TEXTS[language].items():
        assert parts(text) == parts(TEXTS["en"][key]), key


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_modules_name_their_texts_where_they_say_them() -> None:
    for name, asset in ASSETS.items():
        if asset.kind == MODULE and name != "words.js" and "vendor" not in name:
            assert not NAMED_OTHERWISE.findall(asset.content.decode()), name
