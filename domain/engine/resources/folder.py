"""What lies in the folder of a game beside its code: texts, rule books, player aids, field
notes, examples, tips, lessons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domain.engine.resources import (
    examples,
    field_notes,
    lessons,
    rulebook,
    texts,
    tips,
    win_probability,
)
from domain.engine.resources.examples import Example
from domain.engine.resources.field_notes import Glossary
from domain.engine.resources.lessons import Lesson
from domain.engine.resources.rulebook import ENGLISH, Rulebook
from domain.engine.resources.texts import NO_NAMES, Texts
from domain.engine.resources.tips import Tips
from domain.engine.resources.win_probability import Calibration


@dataclass(frozen=True, eq=False, kw_only=True)
class Resources:
    """The texts and data of a game. Each has texts, rule books, player aids, how a turn goes."""

    texts: Mapping[str, Texts]  # by language
    rulebooks: Mapping[str, Rulebook]  # by language, with the same numbers in each
    aids: Mapping[str, str]  # player aids, as Markdown by language: a turn and the scoring
    turns: Mapping[str, str]  # how a turn goes, as Markdown by language
    tips: Tips = field(default_factory=dict)  # the rule behind each thing that players touch
    glossary: Glossary = field(default_factory=dict)  # descriptions of fields of its records
    examples: Sequence[Example] = ()  # worked examples of the rules
    lessons: Mapping[str, Lesson] = field(default_factory=dict)  # by key
    calibration: Calibration = field(default_factory=Calibration)  # from evaluations to chances


def load(package: str, names: Texts = NO_NAMES) -> Resources:
    """The resources in the folder of a game, which is this package; `names` as in `texts.read`.

    Raises FileNotFoundError without RULES.md, AID.md, TURN.md or `texts`, BadTips and BadLesson.
    What is missing in a file, or a language without a file, raises MissingText when it is read.
    """
    rulebooks = rulebook.read(package)
    return Resources(
        texts=texts.read(package, names),
        rulebooks=rulebooks,
        aids=rulebook.read_pages(package, rulebook.AID),
        turns=rulebook.read_pages(package, rulebook.TURN),
        tips=tips.read(package, rulebooks[ENGLISH]),
        glossary=field_notes.read(package),
        examples=examples.read(package),
        lessons=lessons.read(package, rulebooks[ENGLISH]),
        calibration=win_probability.read(package),
    )
