"""What is said of a game, in any language: sentences as keys with parts, and finished words.

A sentence is data: the key of a text, and what is filled into it. Whoever says it brings the texts
of a language and the names of those who play. What is told is made of what a viewer may know, so
no sentence knows more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from importlib.resources import files
from string import Formatter
from typing import Any, Protocol

import msgspec

from domain.engine.play import Record, Seat
from domain.engine.resources.rulebook import NUMBER
from domain.engine.touches import Touch, kind_of, which


class Who(msgspec.Struct, frozen=True):
    """Whoever has a seat; they are called by their name where it is known."""

    seat: Seat


class Sentence(msgspec.Struct, frozen=True):
    """The key of a text, what is filled into it by name, and the rules by which it is so."""

    key: str
    parts: Mapping[str, Part] = {}
    rules: tuple[str, ...] = ()


Part = Sentence | Who | int | str | tuple[Any, ...]
"""What is filled into a text: other sentences, people, numbers, names, or several of these."""
Texts = Mapping[str, str]
"""The texts of a language by their keys, with `{name}` where a part belongs. Where it matters how
many there are, which is the part `count`, a key ends with `_zero`, `_one` or `_other`, as in the
files of i18next."""
Saying = Callable[[Any, Any], Part]
"""How a value is said, from a view and the value."""
Sayings = Mapping[str, Saying]
"""By the name of a field, `seat`, or of one of a record: `TilePlaced.seat`."""
FOLDER = "texts"
LANGUAGES: Mapping[str, str] = {"en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}
"""The languages that everything is told in, and what they call themselves; English comes first."""


def read(package: str) -> dict[str, Texts]:
    """The texts in the folder of a package, with those that all games share, by language."""
    common = _files(__package__)
    return {code: {**common.get(code, {}), **texts} for code, texts in _files(package).items()}


def sentence(key: str, **parts: Part) -> Sentence:
    """A sentence with these parts."""
    return Sentence(key, parts)


def as_it_is(_view: object, value: Part) -> Part:
    """How a number, or a name that is the same in all languages, is said."""
    return value


def unsaid(_view: object, _value: object) -> Part:
    """How a field is said that needs no words; its key does not tell of it either."""
    return ()


def counted(key: str) -> Callable[[Any, int], Sentence]:
    """How a number of things is said: `1 tile`, `2 tiles`."""
    return lambda _view, count: sentence(key, count=count)


def word(prefix: str) -> Callable[[Any, object], Sentence]:
    """How a value is said that has a text of its own, such as `color_red`."""
    return lambda _view, value: Sentence(f"{prefix}_{value}")


def person(_view: object, seat: Seat) -> Who:
    """How a seat is said."""
    return Who(seat)


def each(saying: Saying) -> Callable[[Any, Iterable[Any]], tuple[Part, ...]]:
    """How several values are said that are each said in this way."""
    return lambda view, values: tuple(saying(view, value) for value in values)


def either(saying: Saying) -> Callable[[Any, Sequence[Any]], Part]:
    """How values are said of which one is chosen: `A or B`."""

    def said(view: object, values: Sequence[Any]) -> Part:
        options: Iterable[Part] = [saying(view, value) for value in values] or [()]
        return reduce(lambda one, two: sentence("list_or", one=one, two=two), options)

    return said


COMMON: Sayings = {"seat": person, "seats": each(person), "winners": each(person)}


def told(record: Record, view: object, sayings: Sayings, before: str = "") -> Sentence:
    """What a record says, by the key of its kind; each field by its saying, or as it is.

    The key tells fields that are empty or hidden, and those that are true:
    `CardDrawn_without_card`, `PawnMoved_paid`. The rules are those that the record cites.
    """
    kind = type(record).__name__
    fields = {name: _by(sayings, kind, name) for name in record.__struct_fields__}
    values = {name: getattr(record, name) for name in fields if fields[name] is not unsaid}
    absent = [name for name, value in values.items() if _is_absent(value)]
    parts = {
        name: fields[name](view, value)
        for name, value in values.items()
        if name not in absent and not isinstance(value, bool)
    }
    true = [name for name, value in values.items() if value is True]
    key = "_without_".join([f"{before}{kind}", *absent])
    return Sentence("_".join([key, *true]), parts, _cited(type(record)))


def called(touch: Touch, view: object, sayings: Sayings) -> Sentence:
    """What a name stands for, by the key of its kind; what follows the colons is `a`, `b`, `c`."""
    kind, values = kind_of(touch), which(touch).split(":")
    parts = {
        letter: _by(sayings, f"touch_{kind}", letter)(view, value)
        for letter, value in zip("abc", values, strict=False)
    }
    return Sentence(f"touch_{kind}", parts)


class Words:
    """How somebody is told: in the texts of a language, with the names of those who play by seat.

    Whoever has no name is called by the number of their seat.
    """

    def __init__(self, texts: Texts, names: Sequence[str | None] = ()) -> None:
        self.texts = texts
        self._named = {seat for seat, name in enumerate(names) if name}
        self._names = _Called(texts, names)

    def calling(self, names: Sequence[str]) -> Words:
        """The same words, in which people are called by more than their names."""
        words = Words(self.texts, names)
        words._named = self._named
        return words

    def __call__(self, key: str, **parts: Part) -> str:
        """The text of a key, with its parts."""
        return self.say(Sentence(key, parts))

    def say(self, spoken: Sentence) -> str:
        """A sentence in these words; KeyError without a text for it."""
        return say(spoken, self.texts, self._names)

    def line(self, spoken: Sentence) -> str:
        """A sentence as it stands where a line begins; a name is left as it is."""
        first = _first(spoken, self.texts)
        is_name = isinstance(first, Who) and first.seat in self._named
        return self.say(spoken) if is_name else begun(self.say(spoken))

    def person(self, seat: Seat) -> str:
        """Whoever has a seat."""
        return self._names[seat]

    def heading(self, seat: Seat) -> str:
        """Whoever has a seat, as it stands above what is theirs; a name is left as it is."""
        return self._names[seat] if seat in self._named else begun(self._names[seat])


def apart(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """Names by seat, each with the number of its seat if somebody else has the same."""
    return tuple(
        f"{name} ({seat})" if name and names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


class _Called(dict[Seat, str]):
    """What people are called, by seat."""

    def __init__(self, texts: Texts, names: Sequence[str | None]) -> None:
        super().__init__({seat: name for seat, name in enumerate(names) if name})
        self._texts = texts

    def __missing__(self, seat: Seat) -> str:
        return self._texts["person"].format(seat=seat)


class Names(Protocol):
    """What people are called, by seat."""

    def __getitem__(self, seat: Seat, /) -> str:
        """Whoever has a seat."""
        ...


def say(spoken: Sentence, texts: Texts, names: Names) -> str:
    """A sentence in the words of a language, with names by seat; KeyError without a text for it."""
    text = _text_of(spoken, texts)
    return text.format_map({name: _said(part, texts, names) for name, part in spoken.parts.items()})


def keys_of(spoken: Sentence) -> list[str]:
    """The keys that the text of a sentence may have, the best first: its own is the last."""
    form = {0: "_zero", 1: "_one"}.get(spoken.parts.get("count"))  # type: ignore[arg-type]
    return [f"{spoken.key}{end}" for end in (form, "_other", "") if end is not None]


def begun(words: str) -> str:
    """Words as they stand where a line begins."""
    return words[:1].upper() + words[1:]


def _text_of(spoken: Sentence, texts: Texts) -> str:
    return texts[next(key for key in keys_of(spoken) if key in texts or key == spoken.key)]


def _first(part: Part, texts: Texts) -> Part | None:
    """What a part begins with when it is said, if that is not a text."""
    match part:
        case Sentence():
            before, name, *_ = next(iter(Formatter().parse(_text_of(part, texts))), ("", None))
            return None if before or name is None else _first(part.parts[name], texts)
        case (first, *_):
            return _first(first, texts)
        case _:
            return part


def _said(part: Part, texts: Texts, names: Names) -> str:
    match part:
        case Sentence():
            return say(part, texts, names)
        case Who(seat):
            return names[seat]
        case tuple():
            return _listed([_said(one, texts, names) for one in part], texts)
        case _:
            return str(part)


def _listed(words: list[str], texts: Texts) -> str:
    """Several words as one says them: `A, B and C`."""
    if not words:
        return texts["list_empty"]
    *before, last = words
    if not before:
        return last
    return texts["list_last"].format(one=texts["list_more"].join(before), two=last)


def _cited(kind: type[Record]) -> tuple[str, ...]:
    """The rules that a kind of record cites, each once."""
    return tuple(dict.fromkeys(NUMBER.findall(kind.__doc__ or "")))


def _is_absent(value: object) -> bool:
    """Whether a value, or each of several, is not there or not known."""
    return value is None or (isinstance(value, tuple) and set(value) == {None})


def _by(sayings: Sayings, kind: str, name: str) -> Saying:
    """How a field of a kind of record is said: as it is if nothing is told of it."""
    return sayings.get(f"{kind}.{name}") or sayings.get(name) or COMMON.get(name) or as_it_is


def _files(package: str) -> dict[str, Texts]:
    """The files of texts of a package by language; the name of a file is its code: `en.json`."""
    found = files(package).joinpath(FOLDER).iterdir()
    return {
        file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".json")
    }
