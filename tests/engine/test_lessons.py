"""The files of a lesson are read, or refused with the file and the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain.engine.resources.lessons import BadLesson, read_lesson
from domain.engine.resources.rulebook import parse
from domain.engine.starting.lessons import Progress, scripted_reply
from domain.games import GAMES

RULES = parse("### TOY-1.1\nWin.\n")
TASK: dict[str, Any] = {"say": "do", "rule": "TOY-1.1", "allow": [["card:1"]]}
PAGE: dict[str, Any] = {"say": "read"}
TEXTS = {"title": "Toy", "do": "Do.", "read": "Read."}


def write(folder: Path, *steps: dict[str, Any], **more: Any) -> Path:
    """Write a lesson with these steps."""
    (folder / "texts").mkdir()
    (folder / "lesson.json").write_text(json.dumps({"minutes": 1, "steps": steps, **more}))
    for language, texts in {"en": TEXTS, **more.get("texts", {})}.items():
        (folder / "texts" / f"{language}.json").write_text(json.dumps(texts))
    return folder


def test_a_lesson_is_read(tmp_path: Path) -> None:
    lesson = read_lesson(write(tmp_path, PAGE, TASK, PAGE), "toy/lessons/first", RULES)
    assert [step.is_task for step in lesson.steps] == [False, True, False]
    assert [lesson.next_task(step) for step in range(4)] == [1, 1, None, None]
    assert lesson.texts["en"]["title"] == "Toy"
    assert lesson.seed("toy") != lesson.seed("other")


@pytest.mark.parametrize(
    ("steps", "more", "sentence"),
    [
        ([{**PAGE, "text": "x"}], {}, "`steps/0/text`: There is no such member"),
        ([PAGE], {"seat": 2}, "`seat`: There are only 2 seats."),
        ([PAGE, {"say": "red"}], {}, "`steps/1/say`: texts/en.json has no text `red`."),
        ([{**TASK, "else": "no"}], {}, "`steps/0/else`: texts/en.json has no text `no`."),
        ([{**TASK, "rule": "TOY-9.9"}], {}, "`steps/0/rule`: RULES.md has no rule TOY-9.9."),
        ([{**TASK, "rule": None}], {}, "`steps/0/rule`: A task names the rule that it teaches."),
        ([{**PAGE, "else": "do"}], {}, "`steps/0/else`: Only a task"),
        ([{**PAGE, "first": [["end"]]}], {}, "`steps/0/first`: Only a task"),
        ([{**TASK, "allow": "card:1"}], {}, "`steps/0/allow`: "),
    ],
)
def test_a_wrong_lesson_is_refused_with_its_file_and_field(
    tmp_path: Path, steps: list[dict[str, Any]], more: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadLesson) as refused:
        read_lesson(write(tmp_path, *steps, **more), "toy/lessons/first", RULES)
    assert str(refused.value).startswith(f"toy/lessons/first/lesson.json: {sentence}")


def test_a_question_without_replies_takes_none_of_another(tmp_path: Path) -> None:
    """Given a task that the learner does before two others have answered the same question, when
    no step before it has replies, then these two answer as bots, and the third one replies.
    """
    lesson = read_lesson(write(tmp_path, {**TASK, "reply": [["card:2"]]}, PAGE), "toy", RULES)
    replies = [scripted_reply(lesson, Progress(1, done)) for done in (-2, -1, 0, 1)]
    assert replies == [None, None, ("card:2",), None]


def test_lessons_are_read_in_their_order() -> None:
    assert [*GAMES["great_wall"].resources.lessons] == ["standard", "coop", "solo"]


def test_a_text_that_no_step_says_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLesson, match=r"^x/texts/en.json: no step says `do`.$"):
        read_lesson(write(tmp_path, PAGE), "x", RULES)
