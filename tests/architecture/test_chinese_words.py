"""Chinese texts and rule books use the words of the source rules, as Chinese is typeset."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import LANGUAGES
from tests.support.languages import FORMS, foreign

ROOT = Path(__file__).parents[2]
WORDS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("chinese_words.toml").read_text(encoding="utf-8")
)
CHINESE = [language for language in LANGUAGES if language != ENGLISH]
SHARED = "shared"
"""The texts that belong to no game."""
SHARED_FOLDERS = tuple(
    str(one.parent.relative_to(ROOT))
    for one in sorted([*ROOT.glob("domain/*/texts"), *ROOT.glob("service/**/texts")])
)
"""The folders of these texts."""
GROUPS = [group for group in WORDS if "words" in WORDS[group]]
CODE = re.compile(r"`[^`]*`")
PART = re.compile(r"\{[^}]*\}")
LETTER = "[\u2e80-\u9fff\uff00-\uffef]"
"""A Chinese letter or a punctuation mark of full width."""
SPACED = re.compile(rf"{LETTER} (?=[\w{{`]|{LETTER})|[\w}}`] (?={LETTER})")
HALF_WIDTH = re.compile(rf"{LETTER}[,;:!?()]|[,;!?()]{LETTER}")
COUNT = "[\u4e00\u4e8c\u5169\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u6bcf\\d}]"
"""The end of a number: one to ten, each, a digit, or a part of a text."""
NUMBER = r"(?:\d|{(?:count|left)})"
MEASURE = f"[{WORDS['measures']}]"


@dataclass(frozen=True)
class Translation:
    """The texts of a group in English and in a Chinese script, and its rule book and other pages in
    that script.
    """

    group: str
    language: str
    english: Mapping[str, str]
    chinese: Mapping[str, str]
    book: str

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """Each text by its key, and each line of the rule book by its number."""
        yield from self.chinese.items()
        yield from ((str(at), line) for at, line in enumerate(self.book.splitlines(), 1))

    def of(self, key: str) -> str:
        """The Chinese text for a key of English, which may have more plural forms."""
        base = next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)
        return self.chinese.get(key) or self.chinese.get(f"{base}_other") or self.chinese[base]


@cache
def translation(group: str, language: str) -> Translation:
    folders = SHARED_FOLDERS if group == SHARED else _folders_of(f"domain/games/{group}")
    books = sorted((ROOT / folders[0]).glob(f"*.{language}.md"))
    return Translation(
        group,
        language,
        {key: text for folder in folders for key, text in _texts(folder, ENGLISH)},
        {key: text for folder in folders for key, text in _texts(folder, language)},
        "\n".join(book.read_text(encoding="utf-8") for book in books),
    )


def missing_words(one: Translation) -> Iterator[tuple[str, str]]:
    """Keys of texts that lack the glossary's word for what the English text says."""
    exempt = WORDS[one.group]["exceptions"]
    yield from (found for found in all_missing_words(one) if found[1] not in exempt)


def all_missing_words(one: Translation) -> Iterator[tuple[str, str]]:
    """As `missing_words`, with the exceptions."""
    for english, said in WORDS[one.group]["words"].items():
        chinese = re.compile(said[CHINESE.index(one.language)])
        for key in keys_with(one.group, english):
            if not chinese.search(one.of(key)):
                yield english, key


@cache
def keys_with(group: str, english: str) -> list[str]:
    """Keys of the English texts of a group that say a word of the glossary."""
    word = re.compile(rf"\b(?:{english})s?\b", re.IGNORECASE)
    return [key for key, text in plain_english(group).items() if word.search(text)]


@cache
def plain_english(group: str) -> Mapping[str, str]:
    """The English texts of a group without their parts and code."""
    texts = translation(group, CHINESE[0]).english
    return {key: PART.sub("", CODE.sub("", text)) for key, text in texts.items()}


def superseded_words(one: Translation) -> Iterator[tuple[str, str]]:
    words = WORDS[one.group]["superseded"][one.language]
    yield from ((word, at) for at, line in one.lines for word in words if word in line)


def wrong_measures(one: Translation) -> Iterator[tuple[str, str]]:
    """Numbers with another measure word than the glossary's before a noun, or with none."""
    for measure, nouns in WORDS[one.group].get("measures", {}).get(one.language, {}).items():
        named = "|".join(nouns)
        counted = re.compile(rf"{COUNT}(?!{measure}){MEASURE}(?:{named})|{NUMBER}(?:{named})")
        yield from ((found[0], at) for at, line in one.lines for found in counted.finditer(line))


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("group", GROUPS)
def test_texts_have_the_words_of_the_source_rules(group: str, language: str) -> None:
    one = translation(group, language)
    assert list(missing_words(one)) == []
    assert list(superseded_words(one)) == []
    assert list(wrong_measures(one)) == []
    for key, said in WORDS[group]["texts"].items():
        assert one.chinese[key].startswith(said[CHINESE.index(language)])


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("group", GROUPS)
def test_chinese_has_no_spaces_and_punctuation_of_full_width(group: str, language: str) -> None:
    one = translation(group, language)
    legends = WORDS["legends"].get(group, ())
    lines = [(at, CODE.sub("`", line)) for at, line in one.lines if at not in legends]
    prose = [(at, line) for at, line in lines if not line.startswith(("#", "|"))]
    assert [(at, line) for at, line in prose if SPACED.search(line)] == []
    assert [(at, line) for at, line in lines if HALF_WIDTH.search(line)] == []


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("group", GROUPS)
def test_no_letter_is_of_the_other_script(group: str, language: str) -> None:
    one, other = translation(group, language), next(one for one in CHINESE if one != language)
    assert [found for found in one.lines if foreign(found[1], language)] == []
    assert [found for found in one.lines if foreign(found[1], other)]


@pytest.mark.slow
@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("group", GROUPS)
def test_a_word_that_is_changed_back_is_found(group: str, language: str) -> None:
    one = translation(group, language)
    old = WORDS[group]["superseded"][language][0]
    for said in WORDS[group]["words"].values():
        word = re.compile(said[CHINESE.index(language)])
        texts = {key: word.sub(old, text) for key, text in one.chinese.items()}
        changed = replace(one, chinese=texts)
        assert list(missing_words(changed)), said
        assert list(superseded_words(changed)), said


@pytest.mark.parametrize("group", GROUPS)
def test_every_exception_is_needed(group: str) -> None:
    found = {key for _, key in all_missing_words(translation(group, CHINESE[0]))}
    assert WORDS[group]["exceptions"].keys() <= found


def _folders_of(game: str) -> tuple[str, ...]:
    """The folder of a game, and those of its lessons."""
    lessons = sorted((ROOT / game / "lessons").glob("*"))
    return (game, *(str(lesson.relative_to(ROOT)) for lesson in lessons))


def _texts(folder: str, language: str) -> Iterator[tuple[str, str]]:
    """By key; those of lessons and of folders without a game have the folder's name before it."""
    path = ROOT / folder / "texts" / f"{language}.json"
    name = f"{path.parts[-3]}/" if folder in SHARED_FOLDERS or "/lessons/" in folder else ""
    for key, text in json.loads(path.read_text(encoding="utf-8")).items():
        yield f"{name}{key}", text
