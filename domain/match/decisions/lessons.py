"""Lessons: matches that teach their game. A lesson refuses moves that its step does not ask for,
and its bots play scripted replies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.engine.errors import IncompleteMove, NotInLesson, RuleBroken
from domain.engine.game import Game, legal_moves, touch_tree
from domain.engine.play import Move, Seat
from domain.engine.resolve_touches import resolve_touches
from domain.engine.resources.lessons import Lesson, LessonStep
from domain.engine.starting import lessons as progress
from domain.engine.starting.lessons import Checkpoint, Progress, Turn
from domain.engine.touches import Touch, TouchTree
from domain.match import visibility
from domain.match.decisions import playing
from domain.match.decisions.lobby import Plan
from domain.match.log import Draft, read_move
from domain.match.sentences import TEXTS
from domain.match.state import Chair, Match

OTHER_MOVE = "not_in_lesson"
"""The text that explains a refusal where the step has no explanation of its own."""


def plan_lesson(game: Game[Any], lesson: Lesson, match: str, host: str, expires: int) -> Plan:
    """The plan of a private match with bots, in which the host learns."""
    terms = lesson.terms
    bot = Chair(bot=terms.level or game.levels[0].key)
    return Plan(
        match=match,
        host=host,
        chairs=tuple(
            Chair(player=host) if seat == terms.seat else bot for seat in range(terms.seats)
        ),
        options=terms.options,
        position=terms.position,
        undo="free",
        visibility="private",
        lesson=lesson.key,
        expires=expires,
    )


def find_lesson(match: Match) -> Lesson | None:
    """The lesson that a match is; None if it is none, or one that its game no longer has."""
    return match.game.resources.lessons.get(match.lesson or "")


def follow_lesson(match: Match, lesson: Lesson) -> Progress:
    """How far the learner is. An undo goes back in the lesson as well.

    The match keeps what was followed, so that each move is followed once.
    """
    known = match.lesson_checkpoint or Checkpoint(0, match.blank_state())
    if turns := _turns_after(match, known.turns):
        known = match.lesson_checkpoint = progress.follow(match.game, lesson, known, turns)
    return known.progress


def open_steps(lesson: Lesson, at: Progress) -> range:
    """The steps to show now: the pages before the next task, and the task."""
    task = lesson.next_task(at.step)
    return range(at.step, len(lesson.steps) if task is None else task + 1)


def moves_asked(match: Match, seat: Seat, legal: Sequence[Move]) -> Sequence[Move]:
    """The moves of all legal ones that a seat may choose: in a lesson, those that its step asks
    for; all if none does that, because play took another course.
    """
    task = _open_task(match, seat)
    return (task and progress.moves_asked(match.game, task, match.state, seat, legal)) or legal


def is_off_course(match: Match, lesson: Lesson) -> bool:
    """Whether the learner has to move, and no legal move does what the step asks for."""
    seat = lesson.terms.seat
    task = _open_task(match, seat)
    if task is None or seat not in match.seats_to_move:
        return False
    legal = legal_moves(match.game, match.state, seat)
    return not progress.can_be_done(match.game, task, match.state, seat, legal)


def move(match: Match, choice: Move, now: int) -> Draft:
    """Make a move of a player. Raises Refusal if it is illegal, or not what a lesson asks for.

    A recorded move is not compared with the lesson again, which may have changed since.
    """
    draft = playing.move(match, choice, now)
    check_move(match, choice)
    return draft


def check_move(match: Match, choice: Move) -> None:
    """Raise NotInLesson if the step of a lesson asks for another move than this legal one."""
    task = _open_task(match, choice.seat)
    if task is None:
        return
    legal = legal_moves(match.game, match.state, choice.seat)
    if not progress.is_asked(match.game, task, match.state, choice, legal):
        raise _refusal(match, task)


def resolve(match: Match, seat: Seat, path: Sequence[Touch]) -> Move:
    """The move that touches lead to: see `resolve_touches`. In a lesson they may also be refused
    by NotInLesson, and all refusals list only what the step asks for. There a client may have gone
    ahead where the step leaves no choice: then the last touch alone begins another move.
    """
    game, state, view = match.game, match.state, visibility.view(match, seat)
    task = _open_task(match, seat)
    if task is None:
        return resolve_touches(game, state, seat, view, path)
    legal = legal_moves(game, state, seat)
    allowed = touch_tree(game, view, legal)
    try:
        return resolve_touches(game, state, seat, view, path, allowed)
    except (IncompleteMove, RuleBroken) as refusal:
        right = progress.moves_asked(game, task, state, seat, legal) or legal
        asked = touch_tree(game, view, right)
        raise _refusal_of_touches(match, task, refusal, path, asked, allowed) from None


def scripted_move(match: Match, seat: Seat) -> Move | None:
    """The reply that a lesson has for the bot on this seat, if it is legal; None lets the bot
    choose.
    """
    lesson = find_lesson(match)
    way = lesson and progress.scripted_reply(lesson, follow_lesson(match, lesson))
    return progress.find_move(match.game, match.state, seat, way) if way else None


def _refusal_of_touches(
    match: Match,
    task: LessonStep,
    refusal: IncompleteMove | RuleBroken,
    path: Sequence[Touch],
    asked: TouchTree[Move],
    allowed: TouchTree[Move],
) -> IncompleteMove | RuleBroken | NotInLesson:
    """How a lesson refuses touches that the rules refuse like this."""
    last = path[-1:]
    if isinstance(refusal, IncompleteMove):
        if _leads_on(asked, path):
            return IncompleteMove(asked.choices(path) or asked.after(path).choices(()))
        refused: RuleBroken | NotInLesson = _refusal(match, task)
    elif _leads_on(allowed, last) and not _leads_on(asked, last):
        refused = _refusal(match, task)
    else:
        refused = refusal
    refused.refused_touch, refused.choices = asked.alternatives(path)
    return refused


def _leads_on(tree: TouchTree[Move], path: Sequence[Touch]) -> bool:
    """Whether these touches, in any order, belong to a move."""
    return bool(tree.moves_at(path) or tree.after(path).ways)


def _open_task(match: Match, seat: Seat) -> LessonStep | None:
    """The task that a seat has to do in a lesson, if any."""
    lesson = find_lesson(match)
    if lesson is None or seat != lesson.terms.seat:
        return None
    task = lesson.next_task(follow_lesson(match, lesson).step)
    return None if task is None else lesson.steps[task]


def _refusal(match: Match, task: LessonStep) -> NotInLesson:
    """Why a legal move is refused, in each language."""
    texts = match.game.resources.lessons[match.lesson or ""].texts
    reasons = {
        language: own[task.otherwise]
        if task.otherwise
        else TEXTS[language][OTHER_MOVE].format(say=own[task.say])
        for language, own in texts.items()
    }
    return NotInLesson(task.rule or "", reasons)


def _turns_after(match: Match, count: int) -> list[Turn]:
    """The moves of the line of play with their events, without the first ones."""
    return [
        (read_move(match.game, point.move) if point.move else None, point.events)
        for point in match.line[count:]
    ]
