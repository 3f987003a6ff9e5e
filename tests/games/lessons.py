"""Matches that are lessons, in memory; run it to walk through one:
`python -m tests.games.lessons qin first`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.game import legal_moves
from domain.engine.play import Move
from domain.engine.resources.lessons import Lesson, LessonStep
from domain.games import GAMES
from domain.match import visibility
from domain.match.decisions import lessons, lobby
from domain.match.scheduled_work import bot_to_move
from domain.match.state import Match
from tests.games.seen import AnyGame
from tests.match.table import HOUR, NOON, Table
from workers.jobs.bot_move import choose_move

LEARNER = "ann"
BOT_S = 5.0
"""How long a bot may think; the weakest answer at once."""
MOST_WAYS = 12
"""The number of right moves that a walk prints."""


class LessonTable(Table):
    """A match that is a lesson, with a learner who does what it asks for."""

    is_compared = False  # tests of other matches do that

    def __init__(self, game: AnyGame, lesson: Lesson) -> None:
        self.game, self.now, self.entries = game, NOON, []
        self.lesson, seed = lesson, lesson.seed(game.key)
        self.match = Match(game, seed)
        plan = lessons.plan_lesson(game, lesson, "m", LEARNER, NOON + HOUR)
        self.act(lobby.create(game, plan, seed, NOON), LEARNER, secret=2 * seed)

    @property
    def seat(self) -> int:
        """The seat of the learner."""
        return self.lesson.terms.seat

    @property
    def done(self) -> int:
        """The number of steps up to the task that was done last."""
        return lessons.follow_lesson(self.match, self.lesson).step

    @property
    def open_steps(self) -> range:
        """The numbers of the steps to show now, from 0."""
        return lessons.open_steps(self.lesson, lessons.follow_lesson(self.match, self.lesson))

    @property
    def task(self) -> LessonStep | None:
        """The task that the learner has to do now; None after the last one."""
        steps = [self.lesson.steps[number] for number in self.open_steps]
        return steps[-1] if steps and steps[-1].is_task else None

    @property
    def asked(self) -> Sequence[Move]:
        """The moves that the learner may choose."""
        return lessons.moves_asked(self.match, self.seat, self.all_legal)

    @property
    def all_legal(self) -> Sequence[Move]:
        """The moves that the rules allow the learner."""
        return legal_moves(self.game, self.match.state, self.seat)

    def let_bots_play(self, *, are_slow: bool = False) -> list[str]:
        """Let the bots move until only the learner has to, or, if they are slow, until the learner
        can; the labels of moves that were replies.
        """
        replies = []
        while (seat := bot_to_move(self.match)) is not None:
            if are_slow and self.seat in self.match.seats_to_move:
                break
            reply = lessons.scripted_move(self.match, seat)
            replies.append("reply" if reply else "bot")
            self.move(choose_move(self.match, seat, BOT_S))
        return replies

    def picture(self) -> str:
        """The picture that the learner sees."""
        view = visibility.view(self.match, self.seat)
        return self.game.render_svg(view, self.game.words())

    def describe(self) -> str:
        """The table in words, as the learner sees it."""
        return self.game.render_text(visibility.view(self.match, self.seat), self.game.words())

    def ways(self, moves: Sequence[Move]) -> list[str]:
        """The touches of moves."""
        view = visibility.view(self.match, self.seat)
        return [" ".join(next(iter(self.game.pointing.touches(view, one)))) for one in moves]


def walk(table: LessonTable) -> Iterator[str]:
    """The lines about a lesson with the first right move of each task."""
    yield table.describe()
    while True:
        yield f"-- the others: {', '.join(table.let_bots_play()) or 'nothing'}"
        for number in table.open_steps:
            step = table.lesson.steps[number]
            yield f"{number + 1}. {table.lesson.texts['en'][step.say]} ({step.rule})"
        if table.task is None or table.match.status != "active":
            return
        asked, off = table.asked, lessons.is_off_course(table.match, table.lesson)
        yield f"-- {len(asked)} of {len(table.all_legal)} moves{' (OFF COURSE)' * off}:"
        yield from (f"   {way}" for way in table.ways(asked)[:MOST_WAYS])
        table.move(asked[0])
        yield table.describe()


def all_lessons() -> list[tuple[Any, Lesson]]:
    """Each lesson of each game."""
    return [(game, one) for game in GAMES.values() for one in game.resources.lessons.values()]


if __name__ == "__main__":
    of_game = GAMES[sys.argv[1]]
    walked = walk(LessonTable(of_game, of_game.resources.lessons[sys.argv[2]]))
    sys.stdout.writelines(f"{line}\n" for line in walked)
