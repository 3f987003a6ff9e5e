"""Lessons: first matches that teach a game, as data in its folder.

A game has each lesson in a folder `lessons/<key>`: the file `lesson.json`, and a file with its
texts for each language, `texts/<language>.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from domain.engine.faults import DECODE_ERRORS, Fault, find_faults
from domain.engine.resources.rulebook import Rulebook
from domain.engine.resources.texts import Texts, folder_of
from domain.engine.touches import Way

Json = dict[str, Any]
LESSONS_FOLDER = "lessons"
FILE_NAME = "lesson.json"
TITLE = "title"
"""The key of the text that names a lesson."""


class BadLesson(ValueError):
    """The files of a lesson are wrong: one sentence with the file, and the field in it."""


class LessonStep(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"otherwise": "else"}
):
    """A step. With `allow` or `event` it is a task, for one move of the learner; else a page to
    read.
    """

    say: str  # key of its text
    look: tuple[str, ...] = ()  # names of touches, to point at in the picture
    rule: str | None = None  # number of the rule that it teaches; a task has one
    allow: tuple[
        Way, ...
    ] = ()  # how the touches of a right move begin; an empty beginning fits all
    event: str | None = None  # type of an event of the learner that a right move causes
    first: tuple[
        Way, ...
    ] = ()  # how the touches of moves begin that come first, while no legal move is right
    otherwise: str | None = None  # key of the text that explains why another move is wrong now
    reply: tuple[Way, ...] = ()  # touches of the next moves of the other seats, in order

    @property
    def is_task(self) -> bool:
        """Whether the learner has to move."""
        return bool(self.allow or self.event)


class LessonFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `lesson.json` contains."""

    steps: tuple[LessonStep, ...]
    minutes: int  # how long it takes
    order: int = 1  # its place among the lessons of its game; where equal, their keys decide
    seats: int = 2
    seat: int = 0  # of the learner; bots have the others
    options: Json = {}
    position: Json | None = None  # where it starts; None for the usual setup
    seed: int = 1  # another number gives other dice, the same ones in each match
    level: str | None = None  # of the bots when they have no reply; None for the weakest


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson of a game: its key there, its terms and steps, and its texts by language."""

    key: str
    terms: LessonFile
    texts: Mapping[str, Texts]

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps in order."""
        return self.terms.steps

    def next_task(self, step: int) -> int | None:
        """The first task from a step on; None after the last one."""
        return next((at for at in range(step, len(self.steps)) if self.steps[at].is_task), None)

    def seed(self, game: str) -> bytes:
        """The seed of the dice of all its matches."""
        return sha256(f"annals/lesson|{game}|{self.key}|{self.terms.seed}".encode()).digest()


def read(package: str, rules: Rulebook) -> Mapping[str, Lesson]:
    """The lessons in the folder of a game by key, in their order. Raises BadLesson."""
    folder = files(package).joinpath(LESSONS_FOLDER)
    name = f"{folder_of(package)}/{LESSONS_FOLDER}"
    found = [
        read_lesson(one, f"{name}/{one.name}", rules)
        for one in (folder.iterdir() if folder.is_dir() else ())
    ]
    return {one.key: one for one in sorted(found, key=lambda one: (one.terms.order, one.key))}


def read_lesson(folder: Traversable, name: str, rules: Rulebook) -> Lesson:
    """The lesson in a folder, which is called `name` in errors. Raises BadLesson."""
    terms = _read_terms(folder.joinpath(FILE_NAME), f"{name}/{FILE_NAME}")
    texts = {
        one.name.removesuffix(".json"): msgspec.json.decode(one.read_bytes(), type=dict[str, str])
        for one in folder.joinpath("texts").iterdir()
    }
    faults = [*_find_faults_of_terms(terms, texts, rules)]
    if faults:
        raise BadLesson(f"{name}/{FILE_NAME}: {faults[0]}")
    said = {TITLE, *(key for step in terms.steps for key in (step.say, step.otherwise) if key)}
    for language, own in texts.items():
        if unused := sorted(own.keys() - said):
            raise BadLesson(f"{name}/texts/{language}.json: no step says `{unused[0]}`.")
    return Lesson(folder.name, terms, texts)


def _read_terms(file: Traversable, name: str) -> LessonFile:
    data = msgspec.json.decode(file.read_bytes())
    try:
        return msgspec.convert(data, LessonFile)
    except DECODE_ERRORS as error:
        raise BadLesson(f"{name}: {find_faults(LessonFile, data, error)[0]}") from error


def _find_faults_of_terms(
    terms: LessonFile, texts: Mapping[str, Texts], rules: Rulebook
) -> Iterator[Fault]:
    """What the types do not say of a lesson."""
    if terms.seat not in range(terms.seats):
        yield Fault(f"There are only {terms.seats} seats.", ("seat",))
    for at, step in enumerate(terms.steps):
        yield from _find_faults_of_step(step, at, texts, rules)


def _find_faults_of_step(
    step: LessonStep, at: int, texts: Mapping[str, Texts], rules: Rulebook
) -> Iterator[Fault]:
    for member, key in (("say", step.say), ("else", step.otherwise)):
        for language, own in texts.items():
            if key is not None and key not in own:
                yield Fault(f"texts/{language}.json has no text `{key}`.", ("steps", at, member))
    if step.rule is not None and step.rule not in rules.rules:
        yield Fault(f"RULES.md has no rule {step.rule}.", ("steps", at, "rule"))
    if step.is_task and step.rule is None:
        yield Fault("A task names the rule that it teaches.", ("steps", at, "rule"))
    if not step.is_task:
        yield from _find_faults_of_page(step, at)


def _find_faults_of_page(step: LessonStep, at: int) -> Iterator[Fault]:
    """The members that only a task has."""
    for member, given in (("else", step.otherwise), ("first", step.first)):
        if given:
            fault = f"Only a task, with `allow` or `event`, has `{member}`."
            yield Fault(fault, ("steps", at, member))
