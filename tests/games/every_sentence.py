"""What each game must be able to say, as functions of a game and a number of seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.engine.game import ask, awaited, call, legal_moves, tell, tree
from domain.engine.play import Awaiting, redact
from domain.engine.telling import Sentence, Who, keys_of, say
from tests.games.record import record, sample
from tests.games.seen import AnyGame
from tests.languages import say_the_same


def every_event_is_told(game: AnyGame, seats: int) -> None:
    """To everybody, of what they may know of it; also those that chance did not bring about."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    for event in (event for event in played.events if not isinstance(event, Awaiting)):
        for seat in played.viewers:
            told = tell(game, redact(event, seat), view)
            assert _said(game, told, seats).endswith(".")
    for kind in game.events:
        _has_a_text(game, tell(game, sample(msgspec.inspect.type_info(kind)), view))


def every_step_that_waits_is_asked_for(game: AnyGame, seats: int) -> None:
    """Whoever has to decide can be told what; also where chance did not lead."""
    played = record(game, seats, 0)
    for moment in played.some(40):
        step, view = moment.state.agenda[-1], game.view(moment.state, None)
        assert _said(game, ask(game, step, view), seats).endswith(".")
    view = game.view(played.end, None)
    for kind in (kind for kind in game.answers.steps if game.answers.to(kind)):
        _has_a_text(game, ask(game, sample(msgspec.inspect.type_info(kind)), view))


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
    lines = game.scoring(record(game, seats, 0).end).lines
    keys = [f"score_{part}" for line in lines for part in line.breakdown]
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


def _parts_of(part: Any) -> Iterator[Any]:
    """A part and all parts of it, lists opened."""
    inner = part if isinstance(part, tuple) else getattr(part, "parts", {}).values()
    if not isinstance(part, tuple):
        yield part
    for one in inner:
        yield from _parts_of(one)
