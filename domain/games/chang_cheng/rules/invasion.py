"""The end: the Mongols invade, event cards score, and the winners are known."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import MONGOL
from domain.games.chang_cheng.events.course import EventCardScored, GameEnded, MongolsInvaded
from domain.games.chang_cheng.rules.regions import ahead
from domain.games.chang_cheng.scoring import leaders
from domain.games.chang_cheng.state.table import NEUTRAL, TOWER, Category, State, cards_of

DIPLOMAT = 4
"""Points for walls in the most Chinese regions."""
CARD = 2
"""Points of the Imperial Reward for a card in hand."""


def invasion(p: Play[State]) -> None:
    """Let the Mongols come, score event cards, and end the game: CC-10.1, CC-13.1."""
    _let_mongols_come(p)
    _score_event_cards(p)
    scores = tuple(p.state.score(seat) for seat in range(p.state.seats))
    p.emit(GameEnded("wall_complete", scores, leaders(p.state)))


def _let_mongols_come(p: Play[State]) -> None:
    """Let each Mongol region with a threat tile be paid for: CC-10.2."""
    for region in p.state.wall.china:
        if not p.state.removed[region]:
            p.emit(_attack(p.state, region))


def find_shielded(state: State, region: int) -> tuple[Seat, ...]:
    """The seats that one of their towers protects in a Mongol region: CC-10.3."""
    start, end = state.map.mongol[region]
    colours = [state.cells[cell] for cell in range(start, end) if state.kinds[cell] == TOWER]
    return tuple(sorted(colour - 1 for colour in colours))


def reach(state: State, seat: Seat) -> int:
    """Count the Chinese regions with a standing cell of this seat: CC-12.2."""
    count = state.cells.count
    return sum(count(seat + 1, *state.map.china[region]) > 0 for region in state.wall.china)


def longest_run(state: State, seat: Seat) -> int:
    """Count the most standing cells of this seat next to one another: CC-12.3."""
    longest = run = 0
    for cell in state.wall.cells:
        run = run + 1 if state.cells[cell] == seat + 1 else 0
        longest = max(longest, run)
    return longest


def _attack(state: State, region: int) -> MongolsInvaded:
    """Find who pays for a Mongol region: CC-10.2, CC-10.3, CC-10.4, CC-10.5, CC-11.5."""
    counts = state.counts(state.map.mongol[region])
    walls = tuple(counts[1 : state.seats + 1])
    safe = find_shielded(state, region)
    return MongolsInvaded(
        region=MONGOL[region],
        threat=state.threats[region],
        walls=walls,
        neutral=counts[NEUTRAL],
        shielded=safe,
        payers=tuple(seat for seat in ahead(walls, counts[NEUTRAL]) if seat not in safe),
    )


def _score_event_cards(p: Play[State]) -> None:
    """Score each event card that lies open: CC-12.2, CC-12.3, CC-12.4."""
    for scored in [*_event_cards(p.state)]:
        p.emit(scored)


def _event_cards(state: State) -> Iterator[EventCardScored]:
    """Find what the open event cards bring, in the order of the rules: CC-12.1, CC-12.4."""
    if "diplomat" in state.events:
        yield _reward("diplomat", [reach(state, seat) for seat in range(state.seats)], DIPLOMAT)
    if "hegemon" in state.events:
        runs = [longest_run(state, seat) for seat in range(state.seats)]
        yield _reward("hegemon", runs, max(runs))
    if "imperial_reward" in state.events:
        cards = tuple(len(cards_of(hand)) for hand in state.hands)
        yield EventCardScored("imperial_reward", cards, tuple(CARD * n for n in cards))


def _reward(card: Category, counts: list[int], points: int) -> EventCardScored:
    """Give points for the highest count, to all tied seats: CC-12.2, CC-12.3, CC-12.6."""
    best = ahead(counts, 0)
    paid = tuple(points if seat in best else 0 for seat in range(len(counts)))
    return EventCardScored(card, tuple(counts), paid)
