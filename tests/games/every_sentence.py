"""What each game must be able to say, as functions of a game and a number of seats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from types import NoneType
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from domain.engine.game import ask, awaited, call, legal_moves, tell, tree
from domain.engine.play import Awaiting, Record, redact
from domain.engine.sentences import Sentence, Who, keys_of, say
from tests.games.record import record, sample
from tests.games.seen import AnyGame
from tests.support.languages import say_the_same


def every_event_is_told(game: AnyGame, seats: int) -> None:
    """To everybody, of what they may know of it; also those that chance did not bring about."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    for event in (event for event in played.events if not isinstance(event, Awaiting)):
        for seat in played.viewers:
            told = tell(game, redact(event, seat), view)
            assert _said(game, told, seats).endswith(".")


def every_event_is_told_whatever_it_leaves_out(game: AnyGame, seats: int) -> None:
    """Also where chance did not lead; with each of the words that may hold or not."""
    view = game.view(record(game, seats, 0).end, None)
    for kind in game.events:
        for event in _ways_to_happen(kind):
            _has_a_text(game, tell(game, event, view))


def every_step_that_waits_is_asked_for(game: AnyGame, seats: int) -> None:
    """Whoever has to decide can be told what; also where chance did not lead."""
    played = record(game, seats, 0)
    for moment in played.some(40):
        step, view = moment.state.agenda[-1], game.view(moment.state, None)
        assert _said(game, ask(game, step, view), seats).endswith(".")
    view = game.view(played.end, None)
    for kind in (kind for kind in game.answers.steps if game.answers.to(kind)):
        for step in _ways_to_happen(kind):
            _has_a_text(game, ask(game, step, view))


def every_name_can_be_said(game: AnyGame, seats: int) -> None:
    """Of what is touched, and of the parts that it lies in; at each choice by other words."""
    for moment in record(game, seats, 0).some(40):
        for seat in awaited(moment.state):
            view = game.view(moment.state, seat)
            ways = tree(game, view, legal_moves(game, moment.state, seat))
            names = {name for ladder in ways.ladders.values() for name in ladder}
            assert all(_said(game, call(game, name, view), seats) for name in names)
            shown = [_said(game, call(game, name, view), seats) for name in ways.choices(())]
            assert len(set(shown)) == len(shown)


def scores_and_ends_have_headings(game: AnyGame, seats: int) -> None:
    """Whatever points come from, and however it ended."""
    score = game.scoring(record(game, seats, 0).end)
    lines = (*score.lines, *score.rivals)
    keys = [f"score_{part}" for line in lines for part in line.breakdown]
    keys += [f"rival_{rival.key}" for rival in score.rivals]
    keys += [f"end_{end}" for end in game.ends]
    for texts in game.texts.values():
        assert [key for key in keys if key not in texts] == []


def rules_of_sentences_are_in_the_book(game: AnyGame, seats: int) -> None:
    """Whoever reads what happened can open the rule."""
    view = game.view(record(game, seats, 0).end, None)
    for kind in game.events:
        rules = tell(game, sample(msgspec.inspect.type_info(kind)), view).rules
        assert set(rules) <= set(game.rulebook.rules)


def languages_say_the_same(game: AnyGame, _seats: int) -> None:
    """English is there; others have the same texts, filled with the same parts."""
    say_the_same(game.texts)


def _said(game: AnyGame, spoken: Sentence, seats: int) -> str:
    """A sentence in English; all parts of it are words, and it can be said in all languages."""
    names = [f"<{seat}>" for seat in range(seats)]
    for part in _parts_of(spoken):
        assert isinstance(part, Sentence | Who | int | str), part
        if isinstance(part, Sentence):
            _has_a_text(game, part)
    words = say(spoken, game.texts["en"], names)
    assert "_" not in words, words  # nor are names of the code
    return words


def _has_a_text(game: AnyGame, spoken: Sentence) -> None:
    """In each language."""
    for texts in game.texts.values():
        assert not set(keys_of(spoken)).isdisjoint(texts), spoken


def _ways_to_happen(kind: type[Record]) -> Iterator[Any]:
    """A kind of record without any of what it may leave out, without what it hides, and with each
    of the fields that may be true.
    """
    whole = sample(msgspec.inspect.type_info(kind))
    kinds = get_type_hints(kind)
    open_ = [name for name in whole.__struct_fields__ if name not in whole.hidden]
    optional = [name for name in open_ if NoneType in get_args(kinds[name])]
    for count in range(len(optional) + 1):
        for absent in combinations(optional, count):
            yield replace(whole, **dict.fromkeys(absent))
            yield replace(whole, **dict.fromkeys((*absent, *whole.hidden)))
    yield from (replace(whole, **{name: True}) for name in open_ if kinds[name] is bool)


def _parts_of(part: Any) -> Iterator[Any]:
    """A part and all parts of it, lists opened."""
    inner = part if isinstance(part, tuple) else getattr(part, "parts", {}).values()
    if not isinstance(part, tuple):
        yield part
    for one in inner:
        yield from _parts_of(one)
