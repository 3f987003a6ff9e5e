"""What holds after every event and at every rest, for any choices."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine.dice import Luck
from domain.engine.game import begin, decide, legal_moves, seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.board import (
    CHINA,
    EMPERORS,
    EVENT_CARDS,
    MONGOL,
    PRESTIGE,
    SINGLES,
    THREATS,
)
from domain.games.chang_cheng.events.cards import RegionScored
from domain.games.chang_cheng.events.course import MongolsInvaded
from domain.games.chang_cheng.rules.open_cells import find_reservations, open_cells
from domain.games.chang_cheng.scoring import scoring
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.steps import ChooseOrder, Score
from domain.games.chang_cheng.state.table import (
    DOUBLE,
    EMPTY,
    NEUTRAL,
    RUINED,
    SINGLE,
    TOWER,
    cards_of,
    prestige_left,
    threats_left,
)

OPTIONS = st.builds(
    Options,
    face=st.sampled_from(("a", "b")),
    chosen_events=st.lists(st.sampled_from(EVENT_CARDS), max_size=2, unique=True).map(tuple),
)
QUIET = settings(max_examples=12, suppress_health_check=list(HealthCheck))


@QUIET
@given(st.data(), OPTIONS, st.integers(2, 4), st.integers(0, 999))
def test_the_table_is_in_order_throughout_a_game(data, options, seats, seed):
    """CC-1.3, CC-1.4, CC-5.3, CC-6.1, CC-6.4, CC-6.5, CC-8.1, CC-10.1, CC-10.2"""
    dice, setup = Luck(seed), GAME.setup(options, seats)
    state, scored = GAME.blank_state(setup, seats), Counter()
    apply_events(state, begin(GAME, setup, seats, dice), scored)
    while seats_to_move(state):
        (seat,) = seats_to_move(state)
        kinds = {}
        for move in legal_moves(GAME, state, seat):
            kinds.setdefault(type(move).__name__, []).append(move)
        kind = data.draw(st.sampled_from(sorted(kinds)))
        move = data.draw(st.sampled_from(kinds[kind]))
        apply_events(state, decide(GAME, state, move, dice), scored)
        at_rest(state)
    boards = 4 if seats == 4 else 3
    assert len(state.wall.row) == boards
    assert len(scored) == 3 * boards
    assert set(scored.values()) == {1}
    assert scoring(state).winners == state.winners


def apply_events(state, events, scored):
    for event in events:
        before = [state.score(seat) for seat in range(state.seats)]
        event.apply(state)
        if isinstance(event, RegionScored):
            scored[event.region] += 1
            assert 0 <= event.value <= 14
            gained = [state.score(seat) - before[seat] for seat in range(state.seats)]
            assert gained == [event.value * (s in event.winners) for s in range(state.seats)]
            walls = standing(state, *state.map.china[CHINA.index(event.region)])
            walls.update({seat: more for seat, more in enumerate(event.extra) if more})
            assert list(event.winners) == most(walls)
        if isinstance(event, MongolsInvaded):
            walls = standing(state, *state.map.mongol[MONGOL.index(event.region)])
            assert list(event.payers) == [s for s in most(walls) if s not in event.shielded]


def standing(state, start, end):
    """How many cells each seat, or the neutral colour, holds from start to end."""
    colours = [c for c in state.cells[start:end] if c != EMPTY and c < RUINED]
    return Counter("neutral" if colour == NEUTRAL else colour - 1 for colour in colours)


def most(walls):
    """CC-6.5, CC-10.2, CC-10.4, CC-11.5: the seats with the most walls."""
    best = max(walls.values(), default=0)
    return sorted(who for who, count in walls.items() if count == best and who != "neutral")


def at_rest(state):
    pieces_are_conserved(state)
    reservations_are_in_order(state)
    cards_and_tiles_are_conserved(state)
    assert len(state.emperors) <= EMPERORS
    towers = [cell for cell in state.wall.cells if state.kinds[cell] == TOWER]
    assert not any(state.kinds[o] == TOWER for cell in towers for o in state.beside(cell))
    if not any(isinstance(step, ChooseOrder | Score) for step in state.agenda):
        full = [region for region in state.wall.china if state.full(region)]
        assert [region for region in state.wall.china if state.scored[region]] == full


def pieces_are_conserved(state):
    kinds = Counter(
        (state.cells[cell] % RUINED, state.kinds[cell])
        for cell in state.wall.cells
        if state.cells[cell] != EMPTY
    )
    for colour in range(1, state.seats + 1):
        assert kinds[colour, SINGLE] + state.singles[colour] == SINGLES
        assert kinds[colour, DOUBLE] + 2 * state.doubles[colour] == 2
        assert kinds[colour, TOWER] + state.towers[colour] == 1
    assert kinds[NEUTRAL, SINGLE] + state.singles[NEUTRAL] == state.setup.neutral


def reservations_are_in_order(state):
    """CC-5.4, CC-5.5, CC-5.6: cells beside towers are reserved for seats that still can build
    there.
    """
    kept = find_reservations(state)
    for cell, seats in kept.items():
        assert state.cells[cell] == EMPTY
        for seat in seats:
            towers = [o for o in state.beside(cell) if state.kinds[o] == TOWER]
            assert seat + 1 in [state.cells[o] for o in towers]
            assert state.singles[seat + 1] or state.doubles[seat + 1]
    for colour in (*range(1, state.seats + 1), NEUTRAL):
        empty = [cell for cell in state.wall.cells if state.cells[cell] == EMPTY]
        free = [c for c in empty if c not in kept or colour - 1 in kept[c]]
        assert open_cells(state, colour) == free


def cards_and_tiles_are_conserved(state):
    for seat in range(state.seats):
        waiting = state.tally.waiting if state.tally else ()
        away = [card.number for card in (*state.laid, *waiting) if card.seat == seat]
        assert len(set(away)) == len(away)
        assert not set(away) & set(cards_of(state.hands[seat]))
    regions = len(state.wall.china)
    assert sum(prestige_left(state)) == sum(PRESTIGE) - regions
    assert sum(threats_left(state)) == sum(THREATS.values()) - regions
    assert min(*prestige_left(state), *threats_left(state)) >= 0
