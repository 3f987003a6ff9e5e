"""The language check finds what it should; the glossary is short, and the code uses its words."""

from __future__ import annotations

import re

import pytest

from tests.architecture import language
from tests.architecture.layout import CODE, ROOT

MAX_TERMS = 60
ROW = re.compile(
    r"^\| (?P<term>[^|]+) \| (?P<meaning>[^|]+) \| (?P<instead>[^|]*) \|$", re.MULTILINE
)


def write_sample(folder, text):
    path = folder / "sample.py"
    path.write_text(text)
    return path


def test_words_of_private_language_are_found_where_they_stand(tmp_path):
    path = write_sample(tmp_path, '"""A module."""\n\n# Whoever asks is told.\n')
    prose = list(language.prose_of(path))
    found = [
        finding
        for _, words in language.WORDS.values()
        for finding in language.find_words(prose, words)
    ]
    assert [(finding.line, finding.text.split("'")[1]) for finding in found] == [
        (3, "told"),
        (3, "Whoever"),
    ]


def test_only_comments_begin_with_a_hash(tmp_path):
    path = write_sample(
        tmp_path,
        "first = '#1'  # a\n"
        'second = f"{first}#2 \\" #3"\n'
        "third = '''\n# 4 \"\"\"\n'''  # b\n"
        "# c 'd\n",
    )
    comments = [(comment.line, comment.text) for comment in language.comments(path)]
    assert comments == [(1, "# a"), (5, "# b"), (6, "# c 'd")]


def test_functions_and_classes_named_by_a_participle_are_found(tmp_path):
    path = write_sample(
        tmp_path,
        "class Told: ...\n"
        "class Feed: ...\n"
        "def _asked(): ...\n"
        "def ask(): ...\n"
        "def read_feed(): ...\n"
        "@property\ndef kept(self): ...\n",
    )
    assert [finding.line for finding in language.find_classes([path])] == [1]
    assert [finding.line for finding in language.find_participles([path])] == [3]


def test_an_event_may_be_a_participle(tmp_path):
    (tmp_path / "events").mkdir()
    path = write_sample(tmp_path / "events", "class Scored: ...\n")
    assert list(language.find_classes([path])) == []


def test_a_guide_without_its_reader_and_in_the_passive_is_found(tmp_path):
    path = tmp_path / "guide.md"
    path.write_text("The file is written by the service.\n\n```\nis written\n```\n")
    texts = [finding.text for finding in language.check_guides([path])]
    assert len(texts) == 2
    path.write_text("You write the file.\n")
    assert list(language.check_guides([path])) == []


def test_the_glossary_is_short():
    rows = ROW.findall((ROOT / "docs/glossary.md").read_text())[2:]
    assert 10 < len(rows) <= MAX_TERMS
    assert all(meaning.strip().endswith(".") for _, meaning, _ in rows)


def test_the_glossary_is_in_order():
    terms = [term for term, _, _ in ROW.findall((ROOT / "docs/glossary.md").read_text())[2:]]
    assert terms == sorted(terms)


@pytest.mark.slow
def test_no_other_word_stands_for_a_term_of_the_glossary():
    """In prose of code and guides; the domain keeps the words of the rule books."""
    rows = ROW.findall((ROOT / "docs/glossary.md").read_text())[2:]
    avoided = [word.strip() for _, _, words in rows for word in words.split(",") if word.strip()]
    assert len(avoided) > 10
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, avoided))})\b", re.IGNORECASE)
    files = [path for folder in (*CODE, "bench") for path in language.python_files(folder)]
    prose = [
        piece for path in files if "games" not in path.parts for piece in language.prose_of(path)
    ]
    guides = {*language.guides()} - {ROOT / "docs/glossary.md", ROOT / "CHANGELOG.md"}
    prose += [
        piece
        for path in guides
        if "games" not in path.parts
        for piece in language.guide_prose(path)
    ]
    assert [str(finding) for finding in language.find_words(prose, pattern)] == []
