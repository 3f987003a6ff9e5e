"""How far a learner is in a lesson, which moves its step asks for, and the replies to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.engine.game import Game, fold, legal_moves, preview, seats_to_move, touch_tree
from domain.engine.play import Event, Move, Seat
from domain.engine.resources.lessons import Lesson, LessonStep
from domain.engine.touches import Way

Turn = tuple[Move | None, Sequence[Event[Any]]]
"""A move and its events; no move for the events of the setup."""


class Progress(NamedTuple):
    """The first step that is not done, and how many moves the other seats have made since the
    last task was done; below 0 if they had not yet answered the question that it answered.
    """

    step: int = 0
    replies: int = 0


class Checkpoint(NamedTuple):
    """The progress after a number of turns, and the state then, which nothing changes."""

    turns: int
    state: Any
    progress: Progress = Progress()


def follow(game: Game[Any], lesson: Lesson, known: Checkpoint, turns: Sequence[Turn]) -> Checkpoint:
    """Fold the next turns of a match into the progress of its lesson.

    A move of the learner that does what the task asks for finishes it. Other moves of the learner
    were made where no move could finish it, and leave it open.
    """
    state, (step, replies) = known.state.copy(), known.progress
    for move, events in turns:
        task = lesson.next_task(step)
        if move is None:
            pass
        elif move.seat != lesson.terms.seat:
            replies += 1
        elif task is not None and fits(game, lesson.steps[task], state, move, events):
            step, replies = task + 1, 1 - len(seats_to_move(state))
        fold(state, events)
    return Checkpoint(known.turns + len(turns), state, Progress(step, replies))


def fits(
    game: Game[Any], task: LessonStep, state: Any, move: Move, events: Iterable[Event[Any]]
) -> bool:
    """Whether a legal move with these events does what a task asks for; `state` is before it."""
    if not _has_event(task, move.seat, events):
        return False
    return not task.allow or _begins(game, task.allow, game.view(state, move.seat), move)


def moves_asked(
    game: Game[Any], task: LessonStep, state: Any, seat: Seat, legal: Sequence[Move]
) -> Sequence[Move]:
    """The moves among all legal ones of a seat that do what a task asks for. If there are none,
    those that the task lets come first, which leave it open.
    """
    kinds = ([*filter(one, legal)] for one in _right_and_first(game, task, state, seat))
    return next(filter(None, kinds), [])


def can_be_done(
    game: Game[Any], task: LessonStep, state: Any, seat: Seat, legal: Sequence[Move]
) -> bool:
    """Whether any legal move of a seat does what a task asks for, or may come first."""
    return any(any(map(one, legal)) for one in _right_and_first(game, task, state, seat))


def is_asked(
    game: Game[Any], task: LessonStep, state: Any, move: Move, legal: Sequence[Move]
) -> bool:
    """Whether a legal move is among those that a task asks for, or there are none."""
    for one in _right_and_first(game, task, state, move.seat):
        if one(move) or any(map(one, legal)):
            return one(move)
    return True


def _right_and_first(
    game: Game[Any], task: LessonStep, state: Any, seat: Seat
) -> Iterator[Callable[[Move], bool]]:
    """Whether a legal move does what a task asks for, and whether the task lets it come first."""
    view = game.view(state, seat)

    def is_right(move: Move) -> bool:
        if task.allow and not _begins(game, task.allow, view, move):
            return False
        return not task.event or _has_event(task, seat, preview(game, state, move))

    yield is_right
    yield lambda move: _begins(game, task.first, view, move)


def scripted_reply(lesson: Lesson, progress: Progress) -> Way | None:
    """The touches of the next move of the other seats: those of the task that was done last, and
    of the pages after it. If all seats were asked at once, and the learner answered first, those
    before it come first.
    """
    done = lesson.steps[: max(progress.step - 1, 0)]
    begun = lesson.steps[: lesson.next_task(progress.step)]
    replies = [way for step in begun for way in step.reply]
    at = sum(len(step.reply) for step in done) + progress.replies
    return replies[at] if 0 <= at < len(replies) else None


def find_move(game: Game[Any], state: Any, seat: Seat, way: Way) -> Move | None:
    """The only legal move of a seat that these touches lead to; None if there is none."""
    tree = touch_tree(game, game.view(state, seat), legal_moves(game, state, seat))
    found = tree.moves_at(way)
    return found[0] if len(found) == 1 else None


def _begins(game: Game[Any], beginnings: Sequence[Way], view: Any, move: Move) -> bool:
    """Whether a way to a move begins like one of these."""
    return any(
        way[: len(begun)] == begun
        for way in game.pointing.touches(view, move)
        for begun in beginnings
    )


def _has_event(task: LessonStep, seat: Seat, events: Iterable[Event[Any]]) -> bool:
    """Whether the event that a task asks for is among these, for this seat or for no seat."""
    kind = task.event
    return not kind or any(
        type(event).__name__ == kind and getattr(event, "seat", seat) == seat for event in events
    )
