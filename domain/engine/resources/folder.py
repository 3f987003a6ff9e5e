"""What lies in the folder of a game beside its code: texts, rule books, field notes, examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domain.engine.resources import examples, field_notes, rulebook, texts, win_probability
from domain.engine.resources.examples import Example
from domain.engine.resources.field_notes import Glossary
from domain.engine.resources.rulebook import Rulebook
from domain.engine.resources.texts import NO_NAMES, Texts
from domain.engine.resources.win_probability import Calibration


@dataclass(frozen=True, eq=False, kw_only=True)
class Resources:
    """The texts and data of a game. Each game has texts and rule books."""

    texts: Mapping[str, Texts]  # by language
    rulebooks: Mapping[str, Rulebook]  # by language, with the same numbers in each
    glossary: Glossary = field(default_factory=dict)  # descriptions of fields of its records
    examples: Sequence[Example] = ()  # worked examples of the rules
    calibration: Calibration = field(default_factory=Calibration)  # from evaluations to chances


def load(package: str, names: Texts = NO_NAMES) -> Resources:
    """The resources in the folder of a game, which is this package; `names` as in `texts.read`.

    Raises FileNotFoundError without RULES.md or `texts`. What is missing in a file, or a language
    without a file, raises MissingText when someone asks for it.
    """
    return Resources(
        texts=texts.read(package, names),
        rulebooks=rulebook.read(package),
        glossary=field_notes.read(package),
        examples=examples.read(package),
        calibration=win_probability.read(package),
    )
