"""Each lesson of each game can be played to its end, with any right move, in each language."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import NotInLesson
from domain.engine.resources.lessons import TITLE, Lesson
from domain.engine.sentences import LANGUAGES
from domain.engine.touches import kind_of
from domain.match.decisions import lessons
from tests.games.lessons import LEARNER, LessonTable, all_lessons
from tests.games.seen import AnyGame
from tests.match.table import NOON
from tests.support.languages import say_the_same

LESSONS = [
    pytest.param(game, lesson, id=f"{game.key}-{lesson.key}") for game, lesson in all_lessons()
]
STEPS = range(8, 13)
"""The numbers of steps that a lesson may have."""
MAX_LETTERS = {"en": 320}
"""The longest text of a step; about half of it in Chinese."""
MAX_MOVES = 3
"""The most moves of the learner in a step: those that come first, and the right one."""
OTHER_MOVES = [2, pytest.param(1_000, marks=pytest.mark.long)]
"""The most moves that are tried in each step, of those that it does not ask for."""


def _at_random(seed: int) -> Callable[[list[Any]], Any]:
    return partial(choose, Luck(seed))


WALKS = {
    "first": lambda: itemgetter(0),
    "last": lambda: itemgetter(-1),
    **{str(seed): partial(_at_random, seed) for seed in range(4)},
}
"""How a learner chooses among right moves."""
USUAL_WALKS = ("last", "0")
"""Those that are not long; the first right moves are those of other tests here."""


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_has_few_steps_with_short_texts_in_each_language(
    game: AnyGame, lesson: Lesson
) -> None:
    assert len(lesson.steps) in STEPS
    assert lesson.texts.keys() == LANGUAGES.keys()
    say_the_same(lesson.texts)
    for language, texts in lesson.texts.items():
        most = MAX_LETTERS.get(language, MAX_LETTERS["en"] // 2)
        assert {key: len(text) for key, text in texts.items() if len(text) > most} == {}
        assert not [key for key, text in texts.items() if not text or text != text.strip()]


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_names_only_what_its_game_has(game: AnyGame, lesson: Lesson) -> None:
    kinds = {kind.kind for kind in game.touch_kinds}
    events = {event.__name__ for event in game.events}
    for step in lesson.steps:
        ways = [step.look, *step.allow, *step.first, *step.reply]
        assert {kind_of(touch) for way in ways for touch in way} <= kinds, step.say
        assert step.event is None or step.event in events, step.say
    json_codec.read_options(game, lesson.terms.options)


@pytest.mark.parametrize(
    "walk",
    [pytest.param(one, marks=[] if one in USUAL_WALKS else pytest.mark.long) for one in WALKS],
)
@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_goes_on_with_any_right_move(game: AnyGame, lesson: Lesson, walk: str) -> None:
    """Given a lesson, when the learner makes right moves, then each of its tasks can be done."""
    table, pick = LessonTable(game, lesson), WALKS[walk]()
    tasks = [number for number, step in enumerate(lesson.steps) if step.is_task]
    for number in tasks:
        for _ in range(MAX_MOVES):
            table.let_bots_play()
            assert not lessons.is_off_course(table.match, lesson), table.describe()
            table.move(pick(table.asked))
            if table.done > number:
                break
        assert table.done == number + 1
    assert table.task is None
    table.let_bots_play()
    if table.match.status == "active":  # without help, every legal move is allowed
        assert list(table.asked) == list(table.all_legal)


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_learner_may_answer_before_the_bots(game: AnyGame, lesson: Lesson) -> None:
    """Given slow bots, when the learner answers a question to all first, then they still give the
    replies to it, and the lesson keeps its course.
    """
    table = LessonTable(game, lesson)
    while table.task:
        table.let_bots_play(are_slow=True)
        assert not lessons.is_off_course(table.match, lesson), table.describe()
        table.move(table.asked[0])


@pytest.mark.parametrize("count", OTHER_MOVES)
@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_each_other_legal_move_is_explained_with_a_rule(
    game: AnyGame, lesson: Lesson, count: int
) -> None:
    table = LessonTable(game, lesson)
    while task := table.task:
        table.let_bots_play()
        asked = table.asked
        others = [move for move in table.all_legal if move not in asked]
        view = game.view(table.match.state, table.seat)
        for move in others[:: len(others) // count + 1]:
            with pytest.raises(NotInLesson) as refused:
                lessons.move(table.match, move, NOON)
            assert refused.value.rule == task.rule
            assert refused.value.reasons.keys() == LANGUAGES.keys()
            assert all(refused.value.reasons.values())
            way = next(iter(game.pointing.touches(view, move)))
            with pytest.raises(NotInLesson) as touched:
                lessons.check_move(table.match, lessons.resolve(table.match, table.seat, way))
            assert touched.value.rule == task.rule
        table.move(asked[0])


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_points_at_things_in_the_picture(game: AnyGame, lesson: Lesson) -> None:
    table, looked = LessonTable(game, lesson), set[int]()
    while True:
        table.let_bots_play()
        things = set(re.findall(r'data-at="([^"]+)"', table.picture()))
        for number in table.open_steps:
            assert {*lesson.steps[number].look} <= things, lesson.steps[number].say
            looked.add(number)
        if table.task is None:
            break
        table.move(table.asked[0])
    assert looked == set(range(len(lesson.steps)))


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_an_undo_goes_back_in_the_lesson(game: AnyGame, lesson: Lesson) -> None:
    table = LessonTable(game, lesson)
    table.let_bots_play()
    before = table.open_steps
    table.move(table.asked[0])
    table.let_bots_play()
    after = table.open_steps
    assert after != before
    table.undo(LEARNER)
    assert table.open_steps == before
    table.redo(LEARNER)
    assert table.open_steps == after
    table.undo(LEARNER)
    table.move(table.asked[-1])
    anew = lessons.follow_lesson(table.fold(), lesson)
    assert lessons.follow_lesson(table.match, lesson) == anew


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_matches_of_a_lesson_are_alike_and_bots_give_its_replies(
    game: AnyGame, lesson: Lesson
) -> None:
    one, other = LessonTable(game, lesson), LessonTable(game, lesson)
    given = 0
    while one.task:
        for table in (one, other):
            given += table.let_bots_play().count("reply")
            assert not lessons.is_off_course(table.match, lesson), table.describe()
            table.move(table.asked[0])
        assert one.describe() == other.describe()
    given += sum(table.let_bots_play().count("reply") for table in (one, other))
    assert given == 2 * sum(len(step.reply) for step in lesson.steps)


def test_a_lesson_has_a_title_in_its_language() -> None:
    titles = [
        lesson.texts[language][TITLE] for _, lesson in all_lessons() for language in LANGUAGES
    ]
    assert titles
    assert all(titles)
