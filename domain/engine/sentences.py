"""Sentences about a game in any language: first as keys with parts, then as words.

A sentence is data: the key of a text, and the parts that fill it. The words come from the texts of
a language and the names of the players. Sentences are made from what a viewer may know, so they
reveal nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from string import Formatter
from typing import Any, Protocol

import msgspec

from domain.engine.play import Record, Seat, Step
from domain.engine.resources.rulebook import RULE_NUMBER
from domain.engine.resources.texts import Texts
from domain.engine.touches import Touch, id_of, kind_of


class SeatName(msgspec.Struct, frozen=True):
    """The player of a seat, by their name if it is known."""

    seat: Seat


class Sentence(msgspec.Struct, frozen=True):
    """The key of a text, the parts that fill it by name, and the numbers of the rules behind it."""

    key: str
    parts: Mapping[str, Part] = {}
    rules: tuple[str, ...] = ()
    partial: bool = False  # whether a later sentence says the whole, so that the log leaves it out


Part = Sentence | SeatName | int | str | tuple[Any, ...]
"""A part of a text: another sentence, a player, a number, a name, or several of these."""
Saying = Callable[[Any, Any], Part]
"""Turns a value into a part, given a view and the value."""
Sayings = Mapping[str, Saying]
"""By field name (`seat`), field of a record (`TilePlaced.seat`), or record (`TilePlaced`): `silent`
events are not in the log. `effect_<kind>` says what a touched thing does.
"""
READER_SUFFIX = "_you"
"""End of the key of a prompt for the reader who must act."""
VIEWER_SUFFIX = "_viewer"
"""End of the key of a text about the seat of a lent view; the text without it says "you"."""
LANGUAGES: Mapping[str, str] = {"en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}
"""The languages of all texts with their own names; English comes first."""


def sentence(key: str, **parts: Part) -> Sentence:
    """A sentence with these parts."""
    return Sentence(key, parts)


def verbatim(_view: object, value: Part) -> Part:
    """Say a number, or a name that is the same in all languages."""
    return value


def silent(_view: object, _value: object) -> Part:
    """Say nothing; the field does not change the key either."""
    return ()


def with_count(key: str) -> Callable[[Any, int], Sentence]:
    """Say a number of things: `1 tile`, `2 tiles`."""
    return lambda _view, count: sentence(key, count=count)


def same_effects(*keys: str) -> Sayings:
    """The sayings of touches whose things all do the same: the texts with these keys."""
    return {key: partial(_say_key, key) for key in keys}


def _say_key(key: str, _view: object, _value: object) -> Sentence:
    return Sentence(key)


def word(prefix: str) -> Callable[[Any, object], Sentence]:
    """Say a value by the text for it, such as `color_red`."""
    return lambda _view, value: Sentence(f"{prefix}_{value}")


def quoted(prefix: str) -> Callable[[Any, object], Sentence]:
    """Say a value by the text for it, in the quotation marks for names that the language has."""
    return lambda _view, value: sentence("quoted", name=Sentence(f"{prefix}_{value}"))


def person(_view: object, seat: Seat) -> SeatName:
    """Say the player of a seat."""
    return SeatName(seat)


def seat_number(seat: Seat) -> int:
    """The number of a seat as people count, from 1; in commands and views, seats count from 0."""
    return seat + 1


def number_seat(_view: object, seat: Seat) -> int:
    """Say the number of a seat."""
    return seat + 1


def who_wins(_view: object, seats: Sequence[Seat]) -> Sentence:
    """Say which seats win: `A wins`, `A and B win`."""
    return sentence("winners", winners=tuple(map(SeatName, seats)), count=len(seats))


def each(saying: Saying) -> Callable[[Any, Iterable[Any]], tuple[Part, ...]]:
    """Say each of several values in the same way."""
    return lambda view, values: tuple(saying(view, value) for value in values)


def either(saying: Saying) -> Callable[[Any, Sequence[Any]], Part]:
    """Say several values to choose from: `A, B or C`."""

    def say_options(view: object, values: Sequence[Any]) -> Part:
        *before, last = [saying(view, value) for value in values] or [()]
        if not before:
            return last
        listed = reduce(lambda one, two: sentence("list_next", one=one, two=two), before)
        return sentence("list_or", one=listed, two=last)

    return say_options


COMMON: Sayings = {
    "rule": silent,  # cited beside the sentence
    "seat": person,
    "seats": each(person),
    "winners": each(person),
}


def cite_rules(record: Record) -> tuple[str, ...]:
    """The rule that a record follows: its `rule`, a field or a property of records with several
    causes; without one, what the docstring of its class cites.
    """
    rule: str | None = getattr(record, "rule", None)
    return (rule,) if rule else tuple(dict.fromkeys(RULE_NUMBER.findall(record.__doc__ or "")))


def describe_fields(record: Record, view: object, sayings: Sayings, prefix: str = "") -> Sentence:
    """A sentence about a record, with the class name as its key; each field by its saying, or
    verbatim.

    Fields that are empty or hidden, and those that are true, are part of the key:
    `CardDrawn_without_card`, `PawnMoved_paid`. `count` is the number of hidden items, if there is
    no such field. The rule is that of `cite_rules`.
    """
    kind = type(record).__name__
    fields = {name: _saying_for(sayings, kind, name) for name in record.__struct_fields__}
    values = {name: getattr(record, name) for name in fields if fields[name] is not silent}
    absent = [name for name, value in values.items() if _is_absent(value)]
    parts = {
        name: fields[name](view, value)
        for name, value in values.items()
        if name not in absent and not isinstance(value, bool)
    }
    hidden = [len(value) for name in absent if isinstance(value := values[name], tuple)]
    true = [name for name, value in values.items() if value is True]
    key = "_without_".join([f"{prefix}{kind}", *absent])
    counted = {"count": hidden[0], **parts} if hidden else parts
    return Sentence("_".join([key, *true]), counted, cite_rules(record))


def describe(record: Record, view: object, sayings: Sayings, prefix: str = "") -> Part:
    """A sentence about a record by the saying of its class, or else by its fields; () if it is
    silent.
    """
    saying = sayings.get(type(record).__name__)
    return saying(view, record) if saying else describe_fields(record, view, sayings, prefix)


def prompt(step: Step, view: object, sayings: Sayings, reader: Seat | None) -> Sentence:
    """What the seats of a step must do, with the key `ask_<step>`.

    If the reader has one of these seats, the key ends with `_you`. For others, `count` is the
    number of seats, so that the verb can agree.
    """
    spoken = describe(step, view, sayings, "ask_")
    assert isinstance(spoken, Sentence)
    if reader in step.seats:
        parts = {name: _to_reader(part, reader) for name, part in spoken.parts.items()}
        return Sentence(f"{spoken.key}{READER_SUFFIX}", parts, spoken.rules)
    return Sentence(spoken.key, {"count": len(step.seats), **spoken.parts}, spoken.rules)


def touch_label(touch: Touch, view: object, sayings: Sayings) -> Sentence:
    """A label for a touch, by the saying `touch_<kind>`; without it, with the key of its kind: its
    id, split at colons, fills `a`, `b` and `c`.
    """
    kind, values = kind_of(touch), id_of(touch).split(":")
    if saying := sayings.get(f"touch_{kind}"):
        whole = saying(view, id_of(touch))
        assert isinstance(whole, Sentence)
        return whole
    parts = {
        letter: _saying_for(sayings, f"touch_{kind}", letter)(view, value)
        for letter, value in zip("abc", values, strict=False)
    }
    return Sentence(f"touch_{kind}", parts)


def touch_effect(touch: Touch, view: object, sayings: Sayings) -> Sentence | None:
    """What the card, or other thing, of a touch does, by the saying `effect_<kind>`."""
    saying = sayings.get(f"effect_{kind_of(touch)}")
    spoken = saying(view, id_of(touch)) if saying else None
    return spoken if isinstance(spoken, Sentence) else None


class SeatView(Protocol):
    """A view of a game, from a seat or as a spectator."""

    @property
    def seat(self) -> Seat | None:
        """The seat of the viewer; None for a spectator."""
        ...


class Words:
    """The texts of a language, with the names of the players by seat.

    A player without a name is called by the number of their seat. If a view is lent, the reader
    does not hold the seat that it shows.
    """

    def __init__(
        self, texts: Texts, names: Sequence[str | None] = (), *, is_lent: bool = False
    ) -> None:
        self.texts = {**texts, **_texts_about_viewer(texts)} if is_lent else texts
        self._is_lent = is_lent
        self._seats_with_name = {seat for seat, name in enumerate(names) if name}
        self._names = _SeatNames(texts, names)
        self._addressed: Seat | None = None

    def with_names(self, names: Sequence[str]) -> Words:
        """The same words with other names for the players."""
        words = Words(self.texts, names, is_lent=self._is_lent)
        words._seats_with_name = self._seats_with_name
        return words

    def addressing(self, seat: Seat) -> Words:
        """The same words with `you` for the player of a seat."""
        words = Words(self.texts, is_lent=self._is_lent)
        words._names |= {**self._names, seat: self.texts["you"]}
        words._seats_with_name = self._seats_with_name - {seat}
        words._addressed = seat
        return words

    def __call__(self, key: str, **parts: Part) -> str:
        """The text of a key, with its parts."""
        return self.say(Sentence(key, parts))

    def say(self, spoken: Sentence) -> str:
        """A sentence in words. Raises KeyError if there is no text for it."""
        return say(spoken, self.texts, self._names, self._addressed)

    def line(self, spoken: Sentence) -> str:
        """A sentence at the start of a line, capitalized unless it starts with a player's name."""
        first = _first_part(spoken, self.texts)
        is_name = isinstance(first, SeatName) and first.seat in self._seats_with_name
        return self.say(spoken) if is_name else capitalize(self.say(spoken))

    def reader(self, view: SeatView) -> Seat | None:
        """The seat of the reader of a view, whom texts address; None if they have none in it."""
        return None if self._is_lent else view.seat

    def person(self, seat: Seat) -> str:
        """The name of the player of a seat."""
        return self._names[seat]

    def heading(self, seat: Seat) -> str:
        """The name of the player of a seat as a heading; unchanged if it is their own name."""
        return self._names[seat] if seat in self._seats_with_name else capitalize(self._names[seat])


def _texts_about_viewer(texts: Texts) -> Texts:
    """The texts that a lent view has in place of those that address the reader."""
    return {
        key.removesuffix(VIEWER_SUFFIX): text
        for key, text in texts.items()
        if key.endswith(VIEWER_SUFFIX)
    }


class _SeatNames(dict[Seat, str]):
    """Names of players by seat, with a default."""

    def __init__(self, texts: Texts, names: Sequence[str | None]) -> None:
        super().__init__({seat: name for seat, name in enumerate(names) if name})
        self._texts = texts

    def __missing__(self, seat: Seat) -> str:
        return self._texts["person"].format(seat=seat_number(seat))


class _PartInWords(str):
    """A part in words, with which verbs agree: `{seat:moves|move}` is `move` after `you`."""

    is_addressed = False

    def __format__(self, forms: str) -> str:
        return forms.split("|")[self.is_addressed] if forms else str(self)


def say(spoken: Sentence, texts: Texts, names: _SeatNames, addressed: Seat | None = None) -> str:
    """A sentence in words, in which a seat may be `you`. Raises KeyError without a text."""
    said, reader = dict[str, _PartInWords](), None if addressed is None else SeatName(addressed)
    for name, part in spoken.parts.items():
        said[name] = _PartInWords(_say_part(part, texts, names, addressed))
        if reader is not None:
            said[name].is_addressed = part in (reader, (reader,))
    return _text_of(spoken, texts).format_map(said)


def keys_of(spoken: Sentence) -> list[str]:
    """Keys to look a text up by, most specific first."""
    key, count = spoken.key, spoken.parts.get("count")
    if count in (0, 1):
        return [f"{key}_one" if count else f"{key}_zero", f"{key}_other", key]
    return [f"{key}_other", key]


def capitalize(words: str) -> str:
    """Words with the first letter in upper case, unless they start with a space such as `b1`."""
    return words if words[1:2].isdigit() else words[:1].upper() + words[1:]


def _to_reader(part: Part, reader: Seat | None) -> Part:
    """A part of a prompt, with `you` in place of the reader's name."""
    match part:
        case SeatName(seat) if seat == reader:
            return Sentence("you")
        case tuple():
            return tuple(_to_reader(one, reader) for one in part)
        case Sentence():
            inner = {name: _to_reader(one, reader) for name, one in part.parts.items()}
            return Sentence(part.key, inner, part.rules)
        case _:
            return part


def _text_of(spoken: Sentence, texts: Texts) -> str:
    if "count" not in spoken.parts and f"{spoken.key}_other" not in texts:  # as most texts are
        return texts[spoken.key]
    return texts[next((key for key in keys_of(spoken) if key in texts), spoken.key)]


def _first_part(part: Part, texts: Texts) -> Part | None:
    """The part that a sentence starts with; None if it starts with text."""
    match part:
        case Sentence():
            before, name, *_ = next(iter(Formatter().parse(_text_of(part, texts))), ("", None))
            return None if before or name is None else _first_part(part.parts[name], texts)
        case (first, *_):
            return _first_part(first, texts)
        case _:
            return part


def _say_part(part: Part, texts: Texts, names: _SeatNames, addressed: Seat | None) -> str:
    match part:
        case Sentence():
            return say(part, texts, names, addressed)
        case SeatName(seat):
            return names[seat]
        case tuple():
            return _join_list([_say_part(one, texts, names, addressed) for one in part], texts)
        case _:
            return str(part)


def _join_list(words: list[str], texts: Texts) -> str:
    """Several words as a list: `A, B and C`."""
    if not words:
        return texts["list_empty"]
    *before, last = words
    if not before:
        return last
    return texts["list_last"].format(one=texts["list_more"].join(before), two=last)


def _is_absent(value: object) -> bool:
    """Whether a value, or each item of a tuple, is None, or the value is in no entry of its age."""
    return value in (None, msgspec.UNSET) or (isinstance(value, tuple) and set(value) == {None})


def _saying_for(sayings: Sayings, kind: str, name: str) -> Saying:
    """The saying of a field, `verbatim` by default."""
    return sayings.get(f"{kind}.{name}") or sayings.get(name) or COMMON.get(name) or verbatim
