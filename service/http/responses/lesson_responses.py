"""How far a learner is in a lesson."""

from __future__ import annotations

from domain.engine.resources.lessons import TITLE, Lesson, LessonStep
from domain.match.decisions import lessons
from domain.match.state import Match
from service.http.json_responses import Json


def show_progress(match: Match, lesson: Lesson, language: str) -> Json:
    """Return how far the learner is in a lesson, in a language."""
    at, texts = lessons.follow_lesson(match, lesson), lesson.texts[language]
    return {
        "version": match.version,
        "lesson": lesson.key,
        "title": texts[TITLE],
        "count": len(lesson.steps),
        "steps": [
            _step(number + 1, lesson.steps[number], texts[lesson.steps[number].say])
            for number in lessons.open_steps(lesson, at)
        ],
        "off_course": lessons.is_off_course(match, lesson),
    }


def _step(number: int, step: LessonStep, text: str) -> Json:
    return {
        "number": number,
        "text": text,
        "rule": step.rule,
        "look": step.look,
        "task": step.is_task,
    }
