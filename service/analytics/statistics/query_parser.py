"""Reads questions from the parameters of a query; whatever is wrong is told with what is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from domain.engine.game import Game
from projections.statistics import dimensions, metrics
from projections.statistics.dimensions import ANYTHING, MONTH, NOTHING, Dimension
from projections.statistics.metrics import Metric
from projections.statistics.queries import Filter, Question
from service.runtime.errors import BadQuery

T = TypeVar("T")
Parameters = Mapping[str, Sequence[str]]
"""The texts of each parameter, as often as it was given."""
Sort = Literal["key", "value", "n"]
Shape = Literal["bars", "lines", "points"]

MOST_METRICS = 20
MOST_BY = 2
MOST_TEXTS = 50
TOLD = 5
"""So many of what is wrong in the same way are told of."""
GROUPS = 100
MOST_GROUPS = 1_000
OPTION = "option"
ALWAYS = ("metric", "by", "since", "until", "include", "sort", "order", "limit", "chart", OPTION)
"""Parameters that are no filters, but for the last, which is one for each option."""
OPEN = ("first", "player", "opponent")
"""Dimensions with so many values that those with most cases come first."""


class Asked(msgspec.Struct, frozen=True):
    """A question, and how its answer is to be shown: groups in which order, at most how many."""

    question: Question
    sort: Sort
    descending: bool
    limit: int
    shape: Shape


class Vocabulary(msgspec.Struct, frozen=True):
    """What can be asked: of one game, or of all together."""

    metrics: Mapping[str, Metric]
    dimensions: Mapping[str, Dimension]

    @property
    def filters(self) -> Sequence[str]:
        """The dimensions that are filters by their names; options are asked for by `option`."""
        return [name for name in self.dimensions if not name.startswith(f"{OPTION}.")]


EVERY_GAME = Vocabulary(
    {one.name: one for one in metrics.COMMON}, {one.name: one for one in dimensions.COMMON}
)


def vocabulary_of(game: Game[Any] | None) -> Vocabulary:
    """What can be asked of a game; None stands for all of them together."""
    if game is None:
        return EVERY_GAME
    return Vocabulary(metrics.metrics_of(game), dimensions.dimensions_of(game))


def read(
    given: Parameters, known: Vocabulary, default: Sequence[str], more: Sequence[str] = ()
) -> Asked:
    """The question that these parameters ask; with the metrics of `default` if they name none.
    BadQuery; `more` are parameters that somebody else reads.
    """
    faults = list(_unknown(given, known, more))
    reader = _Reader(given, faults)
    by = tuple(reader.several("by", known.dimensions, MOST_BY))
    question = Question(
        metrics=tuple(reader.several("metric", known.metrics, MOST_METRICS, default)),
        by=by,
        filters=(*_filters(reader, known), *_options(reader, known)),
        since=reader.one("since", _month, None),
        until=reader.one("until", _month, None),
        include=frozenset(reader.each("include", known.dimensions["begun"])),
    )
    is_open = any(one.name in OPEN for one in by)
    sort: Sort = reader.choice("sort", ("key", "value", "n"), "n" if is_open else "key")
    order = reader.choice("order", ("asc", "desc"), "asc" if sort == "key" else "desc")
    in_time = bool(by) and by[0].name == "month"
    shape: Shape = reader.choice(
        "chart", ("bars", "lines", "points"), "lines" if in_time else "bars"
    )
    limit = reader.one("limit", _limit, GROUPS)
    if faults:
        raise BadQuery(faults)
    return Asked(question, sort, order == "desc", limit or GROUPS, shape)


class _Reader:
    """Reads parameters, and notes what is wrong with them."""

    def __init__(self, given: Parameters, faults: list[tuple[str, str]]) -> None:
        self.given = given
        self.faults = faults

    def texts(self, name: str, parted: bool = True) -> list[str]:
        """All that was given, also with commas between if it is parted; each once."""
        given = self.given.get(name, ())
        parts = (part for text in given for part in (text.split(",") if parted else [text]))
        found = list(dict.fromkeys(part.strip() for part in parts))
        if len(found) > MOST_TEXTS:
            self.faults.append((name, f"At most {MOST_TEXTS} of them."))
        return found[:MOST_TEXTS]

    def several(
        self, name: str, known: Mapping[str, T], most: int, default: Sequence[str] = ()
    ) -> list[T]:
        """What is known by the names that were given."""
        texts = self.texts(name) or list(default)
        if wrong := [text[:60] for text in texts if text not in known]:
            said = f"There is no {_listed(wrong[:TOLD])}; known are {_listed(known)}."
            self.faults.append((name, said))
        if len(texts) > most:
            self.faults.append((name, f"At most {most} of them."))
        return [known[text] for text in texts if text in known]

    def each(self, name: str, dimension: Dimension, parted: bool = True) -> list[str]:
        """Values of a dimension."""
        texts = self.texts(name, parted)
        if wrong := [text[:60] for text in texts if not dimension.takes(text)]:
            self.faults.append((name, _wrong(dimension, wrong[:TOLD])))
        return texts

    def one(self, name: str, understood: Callable[[str], T], default: T) -> T:
        """What one text means; `understood` raises ValueError with what would be right."""
        texts = self.given.get(name, ())
        if len(texts) > 1:
            self.faults.append((name, "Given more than once."))
        try:
            return understood(texts[0]) if texts else default
        except ValueError as error:
            self.faults.append((name, str(error)))
            return default

    def choice(self, name: str, choices: Sequence[Any], default: Any) -> Any:  # noqa: ANN401
        """One of some words."""

        def understood(text: str) -> str:
            if text not in choices:
                raise ValueError(f"Expected one of {_listed(choices)}.")
            return text

        return self.one(name, understood, default)


def _unknown(
    given: Parameters, known: Vocabulary, more: Sequence[str]
) -> Iterator[tuple[str, str]]:
    right = (*more, *ALWAYS, *known.filters)
    for name in [name for name in given if name not in right][:TOLD]:
        yield name, f"There is no such parameter; known are {_listed(right)}."


def _filters(reader: _Reader, known: Vocabulary) -> Iterator[Filter]:
    for name in known.filters:
        if name in reader.given:
            dimension = known.dimensions[name]
            texts = reader.each(name, dimension, parted=dimension.pattern != ANYTHING)
            yield Filter(dimension, frozenset(texts))


def _options(reader: _Reader, known: Vocabulary) -> Iterator[Filter]:
    """The filters of options, given as `board:lion`."""
    wanted: dict[str, set[str]] = {}
    for text in reader.texts(OPTION, parted=False):
        name, colon, value = text.partition(":")
        if f"{OPTION}.{name}" in known.dimensions and colon:
            wanted.setdefault(name, set()).add(value)
        else:
            options = [one.partition(".")[2] for one in known.dimensions if one.startswith(OPTION)]
            right = (
                f"one of {_listed(options)}, a colon and a value"
                if options
                else "no option: name a game"
            )
            reader.faults.append((OPTION, f"Expected {right}."))
    for name, texts in wanted.items():
        yield Filter(known.dimensions[f"{OPTION}.{name}"], frozenset(texts))


def _month(text: str) -> str:
    if not re.fullmatch(MONTH, text, re.ASCII):
        raise ValueError("Expected a month, such as `2026-11`.")
    return text


def _limit(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text, re.ASCII) or not 1 <= int(text) <= MOST_GROUPS:
        raise ValueError(f"Expected a number from 1 to {MOST_GROUPS}.")
    return int(text)


def _wrong(dimension: Dimension, texts: Sequence[str]) -> str:
    if dimension.known:
        return f"There is no {_listed(texts)}; known are {_listed([*dimension.known, NOTHING])}."
    return f"Expected something else than {_listed(texts)}: {dimension.says}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
