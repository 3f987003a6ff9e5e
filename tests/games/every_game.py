"""What each game must do, as functions of a game and a number of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from math import inf, isfinite, sqrt
from pkgutil import walk_packages
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine.answers import fallback_key
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import GameOver, NotYourTurn
from domain.engine.game import (
    BotView,
    advance,
    candidates,
    decide,
    evaluate,
    fold,
    judge,
    legal_moves,
    new_state,
    preview,
    random_move,
    seats_to_move,
    split_view,
)
from domain.engine.play import Awaiting, Event, Move, Step
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.touches import MAX_CHOICES, kind_of
from domain.match.events import MATCH_EVENTS
from tests.engine.table import changeable, contents
from tests.games.drawn import MOMENTS, Drawing, draw_moments
from tests.games.record import Menu, Moment, record, some_setup
from tests.games.seen import AnyGame, find_refusal, is_legal, show_all

LONG = 500
"""Bytes of JSON."""
DRAWS_PER_MOVE = 60
"""Mean number of draws of each legal move, by a game's own way."""
FEW_DRAWS = 20
"""The same where the engine draws."""
TRIED = 10
"""Number of moves that each seat tries in a position that came back."""


def it_ends_with_places(game: AnyGame, seats: int, seed: int = 0) -> None:
    """A player is first, equal players share a place, and the reason is in the published list; or
    all players win or lose together.
    """
    played = record(game, seats, seed)
    scoring = game.scoring(played.end)
    places = [line.rank for line in scoring.lines]
    assert [line.seat for line in scoring.lines] == list(range(seats))
    assert len({tuple(line.breakdown) for line in scoring.lines}) == 1, "all have the same parts"
    assert scoring.reason in game.end_reasons
    if game.is_cooperative(played.setup):
        assert set(places) == {1}
        assert bool(scoring.winners) == scoring.won
    else:
        assert scoring.won is None
        assert places == [1 + sum(other < place for other in places) for place in places]
        assert scoring.winners


def folding_gives_what_deciding_gave(game: AnyGame, seats: int, seed: int = 0) -> None:
    """All events, through JSON, onto a table laid from a setup that went through JSON."""
    played = record(game, seats, seed)
    events = json_codec.read_events(game, json_codec.encode(played.events))
    assert events == played.events
    assert contents(fold(game.blank_state(played.setup, seats), events)) == contents(played.end)


def deciding_does_not_change_the_state(game: AnyGame, seats: int) -> None:
    """So do looking, listing, trying out, imagining and scoring."""
    for moment in record(game, seats, 0).some(12):
        state, seat = moment.state, moment.move.seat
        before = contents(state)
        decide(game, state, moment.move, Luck(1))
        preview(game, state, moment.move)
        legal_moves(game, state, seat)
        fold(game.imagine(state, seat, Luck(1)), [Awaiting(())])
        game.view(state, seat), game.scoring(state), game.write_position(state)
        assert contents(state) == before


def what_lasts_of_a_view_is_the_same_for_all(game: AnyGame, seats: int) -> None:
    """From the empty table to the end."""
    played = record(game, seats, 0)
    lasting, _ = split_view(game, game.view(game.blank_state(played.setup, seats), None))
    for moment in played.some(12):
        for viewer in played.viewers:
            assert split_view(game, game.view(moment.state, viewer))[0] == lasting


def what_never_changes_of_a_view_and_is_long_lasts(game: AnyGame, seats: int) -> None:
    """For example a map: clients need not receive it with every state."""
    told: dict[str, set[bytes]] = {}
    for moment in record(game, seats, 0).some(12):
        for name, value in split_view(game, game.view(moment.state, None))[1].items():
            told.setdefault(name, set()).add(json_codec.encode(value))
    unchanged = {name: all_told.pop() for name, all_told in told.items() if len(all_told) == 1}
    assert [name for name, value in unchanged.items() if len(value) > LONG] == []


def advancing_agrees_with_deciding(game: AnyGame, seats: int) -> None:
    """In place or not, with the same dice the same happens."""
    for moment in record(game, seats, 0).some(30):
        events = decide(game, moment.state, moment.move, Luck(7))
        advanced = moment.state.copy()
        assert advance(game, advanced, moment.move, Luck(7)) == events
        assert contents(advanced) == contents(fold(moment.state.copy(), events))


def a_preview_is_how_the_move_begins(game: AnyGame, seats: int) -> None:
    """With any dice, the move begins with the previewed events."""
    for moment in record(game, seats, 0).some(30):
        tried = preview(game, moment.state, moment.move)
        for seed in range(2):
            assert decide(game, moment.state, moment.move, Luck(seed))[: len(tried)] == tried


def no_seat_moves_out_of_turn(game: AnyGame, seats: int) -> None:
    """Nor after the end."""
    played = record(game, seats, 0)
    for state, move in ((moment.state, moment.move) for moment in played.moments):
        for seat in set(range(-1, seats + 1)) - set(seats_to_move(state)):
            assert legal_moves(game, state, seat) == []
            with pytest.raises(NotYourTurn):
                judge(game, state, msgspec.structs.replace(move, seat=seat))
    for moment in played.some(5):
        with pytest.raises(GameOver):
            judge(game, played.end, moment.move)


def the_table_holds_every_step_and_every_move(game: AnyGame, _seats: int) -> None:
    """And `events` holds every event that the files of the game define."""
    room = game.begin.__module__.partition(".rules")[0]
    assert set(game.answers.steps) == _find_records(Step, room)
    assert set(game.answers.moves) == _find_records(Move, room)
    assert set(game.events) == _find_records(Event, room)


def each_row_offers_its_own_kind_of_move(game: AnyGame, seats: int) -> None:
    """And only for the requested seat."""
    for moment in record(game, seats, 0).some(60):
        for seat in seats_to_move(moment.state):
            for row, move in game.answers.offers(moment.state, seat):
                assert (type(move), move.seat) == (row.move, seat)


def other_moves_are_refused_in_the_words_of_the_table(game: AnyGame, seats: int) -> None:
    """A move that does not answer the step is refused, and the refusal names a rule of the book."""
    for refusal in game.answers.fallbacks.values():
        assert refusal.rule in game.rulebook.rules
    played = record(game, seats, 0)
    for moment in played.some(12):
        step, seat = moment.state.agenda[-1], moment.move.seat
        for other in {type(other.move): other.move for other in played.moments}.values():
            if type(other) not in game.answers.moves_for(type(step)):
                move = msgspec.structs.replace(other, seat=seat)
                said = game.words()(fallback_key(type(step)))
                why = (*game.answers.fallbacks[type(step)], said)
                assert find_refusal(game, moment.state, move) == why


def candidates_are_all_different(game: AnyGame, seats: int) -> None:
    """And each of them is a move of the requested seat."""
    for moment in record(game, seats, 0).moments:
        for seat in seats_to_move(moment.state):
            moves = list(candidates(game, moment.state, seat))
            assert len(set(moves)) == len(moves)
            assert {move.seat for move in moves} <= {seat}


def what_is_legal_is_what_is_offered_and_allowed(game: AnyGame, seats: int) -> None:
    """The judge allows each offer of a row that calls itself exact."""
    for moment in record(game, seats, 0).some(40):
        for seat in seats_to_move(moment.state):
            offered = candidates(game, moment.state, seat)
            allowed = [move for move in offered if is_legal(game, moment.state, move)]
            assert legal_moves(game, moment.state, seat) == allowed


def any_legal_move_is_drawn_as_often_as_the_others(
    game: AnyGame, seats: int, draws: int | None = None
) -> None:
    """And no other move. Their counts differ by no more than chance explains, all together
    (chi-squared) and each separately, since one of many hardly affects the sum.
    """
    dice = Luck(f"{game.key}/{seats}")
    draws = draws or (DRAWS_PER_MOVE if game.draw_move else FEW_DRAWS)
    for moment in record(game, seats, 0).some(3):
        for legal, seat in ((menu.legal, menu.seat) for menu in moment.menus[:1]):
            times = range(draws * len(legal))
            drawn = Counter(random_move(game, moment.state, seat, dice) for _ in times)
            assert drawn.keys() <= set(legal)
            odd = sum((drawn[move] - draws) ** 2 / draws for move in legal)
            assert odd <= len(legal) + 10 + 5 * sqrt(2 * len(legal))
            assert max(abs(drawn[move] - draws) for move in legal) <= 6 * sqrt(draws)


def moves_come_back_from_json(game: AnyGame, seats: int) -> None:
    """A move reads back equal to the listed one."""
    for moment in record(game, seats, 0).some(12):
        for move in moment.menu.legal:
            assert json_codec.read_move(game, move.seat, json_codec.to_json(move)) == move


def refusals_name_a_rule(game: AnyGame, seats: int) -> None:
    """A rule of the book refuses moves from other moments of the game, or they are legal."""
    played = record(game, seats, 0)
    for moment in played.some(12):
        for other in played.some(40):
            move = msgspec.structs.replace(other.move, seat=moment.move.seat)
            refusal = find_refusal(game, moment.state, move)
            assert refusal is None or refusal[0] in game.rulebook.rules


def a_copy_shares_nothing(game: AnyGame, seats: int) -> None:
    """Nothing that can change, that is; nor does an imagined state."""
    for moment in record(game, seats, 0).some(2):
        state = moment.state
        assert contents(state.copy()) == contents(state)
        mine = {id(thing) for thing in changeable(state)}
        for other in (state.copy(), game.imagine(state, moment.move.seat, Luck(1))):
            assert not mine & {id(thing) for thing in changeable(other)}


def a_position_comes_back_from_json(game: AnyGame, seats: int, count: int = 2) -> None:
    """With the same views and the same choices."""
    played = record(game, seats, 1)
    for state in (moment.state for moment in played.some(count)):
        text = json_codec.encode(game.write_position(state))
        back = game.read_position(played.setup, msgspec.json.decode(text), seats)
        assert back.agenda == state.agenda
        assert game.scoring(back) == game.scoring(state)
        assert json_codec.encode(game.write_position(back)) == text
        for seat in played.viewers:
            assert show_all(game, back, seat, TRIED) == show_all(game, state, seat, TRIED)


def pictures_are_drawn_from_views_of_all_kinds(game: AnyGame, seats: int) -> None:
    """Also before the first event, for players at an open table, and after the last."""
    played, words = record(game, seats, 0), game.words()
    empty = game.blank_state(played.setup, seats)
    views = [game.view(empty, viewer) for viewer in (None, 0)]
    views += [game.view(played.some(2)[1].state, seats - 1)]
    drawn = [Drawing(game, view, words) for view in views]
    for one in (*drawn, *draw_moments(game, seats, ENGLISH)[::MOMENTS]):
        assert one.root.tag.endswith("svg")
        assert not any(f'{side}="-' in one.svg for side in ("width", "height"))
        assert one.text.strip()


def ways_lead_to_each_move_and_to_one(game: AnyGame, seats: int) -> None:
    """At each kind of step: none without a way, no way to two moves, none that goes on from
    another.
    """
    for menu in _menus(record(game, seats, 0).of_each_step(12)):
        ways = [way for move in menu.legal for way in game.pointing.touches(menu.view, move)]
        assert set(menu.touches.ways.values()) == set(menu.legal)
        assert len(set(ways)) == len(ways)
        assert all(set(ways).isdisjoint(way[:end] for end in range(len(way))) for way in ways)


def names_are_of_the_published_kinds(game: AnyGame, seats: int) -> None:
    """Ways are of things and words, and what they lie in is a part."""
    roles = {kind.kind: kind.role for kind in game.touch_kinds}
    assert len(roles) == len(game.touch_kinds)
    for menu in _menus(record(game, seats, 0).some(12)):
        for name, *parts in menu.touches.part_chains.values():
            assert roles.get(kind_of(name)) in ("thing", "word")
            assert {roles.get(kind_of(part)) for part in parts} <= {"part"}


def no_choice_is_too_long(game: AnyGame, seats: int) -> None:
    """Neither at first nor after any choice; and the choices lead to every move."""
    for menu in _menus(record(game, seats, 0).some(3)):
        pointed, found = menu.touches, set()
        paths: list[tuple[Any, ...]] = [()]
        while paths:
            path = paths.pop()
            choices = pointed.choices(path)
            assert len(choices) <= MAX_CHOICES, (path, choices)
            assert len(set(choices)) == len(choices)
            if not choices:
                found.update(pointed.moves_at(path))
            paths += [(*path, choice) for choice in choices]
        assert found == set(menu.legal)


def _menus(moments: list[Moment]) -> Iterator[Menu]:
    """What each deciding seat sees and can do at these moments."""
    for moment in moments:
        yield from moment.menus


def bots_of_each_level_answer_at_once_if_time_is_up(game: AnyGame, seats: int) -> None:
    """With a move that is legal."""
    for moment in record(game, seats, 0).some(3):
        state, seat = moment.state, moment.move.seat
        for level in game.levels:
            dice = Luck(1)
            view = BotView(game, seat, lambda: game.imagine(state, seat, dice), dice, lambda: True)  # noqa: B023  called before the loop goes on
            judge(game, state, level.bot(view))


def names_of_events_are_not_those_of_the_match(game: AnyGame, _seats: int) -> None:
    """Both are read from the same entries."""
    names = [kind.__name__ for kind in (*game.events, *MATCH_EVENTS)]
    assert len(names) == len(set(names))


def any_choice_of_moves_keeps_the_game_sound(game: AnyGame, seats: int) -> None:
    """Hypothesis chooses, so that it can name the few moves that break something."""

    @settings(max_examples=3, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 99), data=st.data())
    def choose_moves(seed: int, data: Any) -> None:
        dice = Luck(seed)
        setup = some_setup(game, seats, dice)
        state = new_state(game, setup, seats, dice)
        for _ in range(25):
            if not seats_to_move(state):
                break
            menus = [legal_moves(game, state, seat) for seat in seats_to_move(state)]
            assert all(menus)
            move = data.draw(st.sampled_from(data.draw(st.sampled_from(menus))))
            assert find_refusal(game, state, move) is None
            events = decide(game, state, move, dice)
            assert json_codec.read_events(game, json_codec.encode(events)) == events
            assert [type(event) for event in events].count(Awaiting) == 1
            fold(state, events)
            assert events[-1] == Awaiting(tuple(state.agenda))

    choose_moves()


def _find_records(kind: type, room: str) -> set[type]:
    """All records of a kind that the files of a game define; the function imports these files."""
    package = import_module(room)
    for file in walk_packages(package.__path__, f"{room}."):
        import_module(file.name)
    here = {found for found in _below(kind) if found.__module__.startswith(f"{room}.")}
    return {found for found in here if not here & _below(found)}


def _below(kind: type) -> set[type]:
    """All classes below this one; those that have others below them stand for no records."""
    children = kind.__subclasses__()
    return set().union(children, *map(_below, children))


def any_state_can_be_evaluated(game: AnyGame, seats: int) -> None:
    """For every seat, at any time, and as any seat imagines it: by a number that is not infinite;
    once it is over no loser is better off than a winner, and a table that plays together is better
    off than even if it has won, or worse.
    """
    played = record(game, seats, 0)
    for moment in played.some(4):
        for state in (moment.state, game.imagine(moment.state, moment.move.seat, Luck(1))):
            before = contents(state)
            assert all(isfinite(evaluate(game, state, viewer)) for viewer in range(seats))
            assert contents(state) == before
    scoring = game.scoring(played.end)
    values = [evaluate(game, played.end, seat) for seat in range(seats)]
    assert all(map(isfinite, values))
    if scoring.won is not None:
        assert all((value > 0) == scoring.won for value in values)
        return
    losers = [value for seat, value in enumerate(values) if seat not in scoring.winners]
    winners = [values[seat] for seat in scoring.winners]
    assert max(losers, default=-inf) < min(winners), f"{game.key}: `evaluate` favours a loser"
