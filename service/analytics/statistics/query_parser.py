"""Parses queries from URL parameters. For an invalid parameter, the error lists the valid
values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from domain.engine.game import Game
from projections.statistics import dimensions, metrics
from projections.statistics.dimensions import ANY_TEXT, MONTH, NO_VALUE, Dimension
from projections.statistics.metrics import Metric
from projections.statistics.queries import Filter, StatisticsQuery
from service.runtime.errors import BadQuery

T = TypeVar("T")
Parameters = Mapping[str, Sequence[str]]
"""The values of each parameter; a parameter can occur several times."""
Sort = Literal["key", "value", "n"]
Shape = Literal["bars", "lines", "points"]

MAX_METRICS = 20
MAX_DIMENSIONS = 2
MAX_VALUES = 50
MAX_NAMED_FAULTS = 5
"""Maximum number of invalid values that one error names."""
DEFAULT_GROUPS = 100
MAX_GROUPS = 1_000
OPTION_PARAMETER = "option"
COMMON_PARAMETERS = (
    "metric",
    "by",
    "since",
    "until",
    "include",
    "sort",
    "order",
    "limit",
    "chart",
    OPTION_PARAMETER,
)
"""Parameters that are not filters; the last one filters by an option."""
OPEN_DIMENSIONS = ("first", "player", "opponent")
"""Dimensions with many values: groups with the most cases come first."""


class ParsedQuery(msgspec.Struct, frozen=True):
    """A query, and how to present its result: order and maximum number of groups."""

    query: StatisticsQuery
    sort: Sort
    descending: bool
    limit: int
    shape: Shape


class Vocabulary(msgspec.Struct, frozen=True):
    """The metrics and dimensions of one game, or those common to all."""

    metrics: Mapping[str, Metric]
    dimensions: Mapping[str, Dimension]

    @property
    def filters(self) -> Sequence[str]:
        """The dimensions that are filters under their names; options use the parameter `option`."""
        return [name for name in self.dimensions if not name.startswith(f"{OPTION_PARAMETER}.")]


COMMON_VOCABULARY = Vocabulary(
    {one.name: one for one in metrics.COMMON_METRICS},
    {one.name: one for one in dimensions.COMMON_DIMENSIONS},
)


def vocabulary_of(game: Game[Any] | None) -> Vocabulary:
    """Return the vocabulary of a game; None stands for all games together."""
    if game is None:
        return COMMON_VOCABULARY
    return Vocabulary(metrics.metrics_of(game), dimensions.dimensions_of(game))


def parse(
    parameters: Parameters,
    vocabulary: Vocabulary,
    default: Sequence[str],
    other_parameters: Sequence[str] = (),
) -> ParsedQuery:
    """Parse these parameters; `default` has the metrics if they name none.

    `other_parameters` are parameters that the caller reads itself. Raises BadQuery.
    """
    faults = list(_unknown(parameters, vocabulary, other_parameters))
    reader = _Reader(parameters, faults)
    by = tuple(reader.look_up("by", vocabulary.dimensions, MAX_DIMENSIONS))
    question = StatisticsQuery(
        metrics=tuple(reader.look_up("metric", vocabulary.metrics, MAX_METRICS, default)),
        by=by,
        filters=(*_filters(reader, vocabulary), *_options(reader, vocabulary)),
        since=reader.single("since", _month, None),
        until=reader.single("until", _month, None),
        include=frozenset(reader.values_of("include", vocabulary.dimensions["begun"])),
    )
    is_open = any(one.name in OPEN_DIMENSIONS for one in by)
    sort: Sort = reader.choice("sort", ("key", "value", "n"), "n" if is_open else "key")
    order = reader.choice("order", ("asc", "desc"), "asc" if sort == "key" else "desc")
    in_time = bool(by) and by[0].name == "month"
    shape: Shape = reader.choice(
        "chart", ("bars", "lines", "points"), "lines" if in_time else "bars"
    )
    limit = reader.single("limit", _limit, DEFAULT_GROUPS)
    if faults:
        raise BadQuery(faults)
    return ParsedQuery(question, sort, order == "desc", limit or DEFAULT_GROUPS, shape)


class _Reader:
    """Reads parameters and collects faults."""

    def __init__(self, given: Parameters, faults: list[tuple[str, str]]) -> None:
        self.given = given
        self.faults = faults

    def texts(self, name: str, split: bool = True) -> list[str]:
        """Return the distinct values of a parameter, split at commas if `split`."""
        given = self.given.get(name, ())
        parts = (part for text in given for part in (text.split(",") if split else [text]))
        found = list(dict.fromkeys(part.strip() for part in parts))
        if len(found) > MAX_VALUES:
            self.faults.append((name, f"At most {MAX_VALUES} values."))
        return found[:MAX_VALUES]

    def look_up(
        self, name: str, choices: Mapping[str, T], limit: int, default: Sequence[str] = ()
    ) -> list[T]:
        """Look up the values of a parameter by name."""
        texts = self.texts(name) or list(default)
        if wrong := [text[:60] for text in texts if text not in choices]:
            self.faults.append((name, _unknown_values_text(wrong[:MAX_NAMED_FAULTS], choices)))
        if len(texts) > limit:
            self.faults.append((name, f"At most {limit} values."))
        return [choices[text] for text in texts if text in choices]

    def values_of(self, name: str, dimension: Dimension, split: bool = True) -> list[str]:
        """Return the values of a dimension."""
        texts = self.texts(name, split)
        if wrong := [text[:60] for text in texts if not dimension.accepts(text)]:
            self.faults.append((name, _invalid_values_text(dimension, wrong[:MAX_NAMED_FAULTS])))
        return texts

    def single(self, name: str, parse: Callable[[str], T], default: T) -> T:
        """Parse a parameter that may occur once. `parse` raises ValueError with what is
        valid.
        """
        texts = self.given.get(name, ())
        if len(texts) > 1:
            self.faults.append((name, "Given more than once."))
        try:
            return parse(texts[0]) if texts else default
        except ValueError as error:
            self.faults.append((name, str(error)))
            return default

    def choice(self, name: str, choices: Sequence[Any], default: Any) -> Any:  # noqa: ANN401
        """Return one of these words."""

        def understood(text: str) -> str:
            if text not in choices:
                raise ValueError(f"Expected one of {_quote_list(choices)}.")
            return text

        return self.single(name, understood, default)


def _unknown(
    given: Parameters, known: Vocabulary, more: Sequence[str]
) -> Iterator[tuple[str, str]]:
    right = (*more, *COMMON_PARAMETERS, *known.filters)
    for name in [name for name in given if name not in right][:MAX_NAMED_FAULTS]:
        yield name, f"Unknown parameter. Valid parameters: {_quote_list(right)}."


def _filters(reader: _Reader, known: Vocabulary) -> Iterator[Filter]:
    for name in known.filters:
        if name in reader.given:
            dimension = known.dimensions[name]
            texts = reader.values_of(name, dimension, split=dimension.pattern != ANY_TEXT)
            yield Filter(dimension, frozenset(texts))


def _options(reader: _Reader, known: Vocabulary) -> Iterator[Filter]:
    """Yield the filters of options, given as `board:lion`."""
    wanted: dict[str, set[str]] = {}
    for text in reader.texts(OPTION_PARAMETER, split=False):
        name, colon, value = text.partition(":")
        if f"{OPTION_PARAMETER}.{name}" in known.dimensions and colon:
            wanted.setdefault(name, set()).add(value)
        else:
            options = [
                one.partition(".")[2]
                for one in known.dimensions
                if one.startswith(OPTION_PARAMETER)
            ]
            right = (
                f"one of {_quote_list(options)}, a colon and a value"
                if options
                else "no option: name a game"
            )
            reader.faults.append((OPTION_PARAMETER, f"Expected {right}."))
    for name, texts in wanted.items():
        yield Filter(known.dimensions[f"{OPTION_PARAMETER}.{name}"], frozenset(texts))


def _month(text: str) -> str:
    if not re.fullmatch(MONTH, text, re.ASCII):
        raise ValueError("Expected a month, such as `2026-11`.")
    return text


def _limit(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text, re.ASCII) or not 1 <= int(text) <= MAX_GROUPS:
        raise ValueError(f"Expected a number from 1 to {MAX_GROUPS}.")
    return int(text)


def _invalid_values_text(dimension: Dimension, texts: Sequence[str]) -> str:
    if dimension.allowed:
        return _unknown_values_text(texts, [*dimension.allowed, NO_VALUE])
    return f"Invalid: {_quote_list(texts)}. {dimension.description}"


def _unknown_values_text(texts: Sequence[str], valid: Iterable[str]) -> str:
    return f"Unknown: {_quote_list(texts)}. Valid values: {_quote_list(valid)}."


def _quote_list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
