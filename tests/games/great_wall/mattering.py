"""Whether answers to a question can matter, found by playing each to the end of its block.

An answer matters if it changes the table, or what a seat knows when it decides later: what other
seats have decided, and what was drawn. This shares no code with the rules that decide who is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any
from zlib import crc32

import msgspec

from domain.engine.dice import Luck
from domain.engine.play import Move, Play, Seat, Step
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules import activation
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, coop, effects
from domain.games.great_wall.state.counts import plus, put
from domain.games.great_wall.state.table import State

Place = tuple[Any, ...]
"""What asks: the kind of the step, then the Location, part, script or window."""
Table = tuple[Any, ...]
Known = dict[Place, tuple[frozenset[Place], int]]
"""By decision, the earlier decisions of other seats, and how much was drawn before."""

IDLE = (moves.Done, moves.LetPass, moves.DeclineOrder, moves.RefuseToPay)
POLICIES = ("busy", "idle", "mixed", "busy again", "mixed again")
"""How the later questions are answered: with something if possible, with nothing, or anyhow."""
WITHIN_A_BLOCK = (steps.Ask, steps.Fire, steps.Chain, steps.Moment)
BLOCKS = (
    clerks.NextActivation,
    *(
        kind
        for kind in vars(steps).values()
        if isinstance(kind, type)
        and issubclass(kind, Step)
        and kind.__module__ == steps.__name__
        and kind not in WITHIN_A_BLOCK
    ),
)
"""The steps with which a new block begins."""
MOST_ANSWERS = 8
"""At most this number of answers to a question are compared."""


def find_place(state: State) -> Place:
    """What asks."""
    step = state.agenda[-1]
    match step:
        case coop.OrderPlayers():
            return ("OrderPlayers", *_find_cause(state, state.agenda[-2]))
        case clerks.OrderActivations():
            pair = sorted(place for place in step.waiting if activation.activates(state, place))
            return ("OrderActivations", *(pair if len(pair) == 2 else ()))
        case effects.OrderAbilities():
            deeds = ("+".join(type(op).__name__ for op in SCRIPTS[one]) for one in step.waiting)
            return ("OrderAbilities", *sorted(deeds))
        case effects.Consider() | effects.ChooseOption() | effects.NamePlayers():
            return (type(step).__name__, step.here.script, step.here.at)
        case _:
            return (type(step).__name__, *_find_first_cause(state))


def _find_first_cause(state: State) -> Place:
    for below in reversed(state.agenda[:-1]):
        if cause := _find_cause(state, below):
            return cause
        if isinstance(below, BLOCKS):
            return (type(below).__name__,)
    return ()


def _find_cause(state: State, below: Step) -> Place:
    """What a step on the agenda is about."""
    match below:
        case coop.OthersInOrder():
            laid = state.track[below.slot]
            return ("others", laid and laid.card)
        case coop.EachInOrder():
            return (below.here.script,)
        case effects.Perform():
            return (below.script,)
        case steps.CommandPart():
            return (below.part,)
        case _:
            location = getattr(below, "location", None)
            return (location,) if location else ()


class CountingLuck(Luck):
    """Dice that count how often they are used."""

    __slots__ = ("used",)

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.used = 0

    def below(self, n: int) -> int:
        self.used += 1
        return super().below(n)


def differ(state: State, answers: list[Move], policy: str, seed: str) -> bool:
    """Whether some of these answers lead to different tables, or to decisions of which one knows
    more.
    """
    ends = (play_out(state, answer, policy, seed) for answer in answers)
    table, known = next(ends)
    return any(end != table or (now != known and now.keys() == known.keys()) for end, now in ends)


def sample_answers(state: State, seat: Seat) -> list[Move]:
    """The legal answers, without the order to be asked again, or some of them if they are many."""
    menu = [m for m in ANSWERS.legal_moves(state, seat) if not isinstance(m, moves.AskAgain)]
    return menu[:: -(-len(menu) // MOST_ANSWERS) or 1]


def play_out(state: State, answer: Move, policy: str, seed: str) -> tuple[Table, Known]:
    """The table at the end of the block, after an answer and the same choices and dice; and what
    seats knew when they decided in between.
    """
    dice = CountingLuck(seed)
    play = Play(state.copy(), dice)
    end = max(
        (at for at, step in enumerate(state.agenda[:-1]) if isinstance(step, BLOCKS)), default=-1
    )
    give(play, answer, end + 1)
    agenda, known = play.state.agenda, Known()
    while len(agenda) > end + 1:
        asked = agenda[-1].seats[0]
        menu = list(ANSWERS.legal_moves(play.state, asked))
        if len(menu) > 1:
            others = frozenset(decision for decision in known if decision[0] != asked)
            known[asked, len(known) - len(others), *find_place(play.state)] = others, dice.used
        give(play, min(menu, key=lambda move: _rank(move, policy)), end + 1)
    return read_table(play.state), known


def give(play: Play[State], answer: Move, end: int = 0) -> None:
    """Give an answer, then do what waits for no seat, down to this height of the agenda."""
    agenda = play.state.agenda
    step = agenda.pop()
    if others := tuple(seat for seat in step.seats if seat != answer.seat):
        agenda.append(msgspec.structs.replace(step, seats=others))
    ANSWERS.play(play, step, answer)
    while len(agenda) > end and not agenda[-1].seats:
        ANSWERS.run_step(play, agenda.pop())


def _rank(move: Move, policy: str) -> tuple[int, int]:
    """The rank of a move among all moves; it depends on no earlier choice."""
    if isinstance(move, moves.AskAgain):
        return 2, 0
    idle = isinstance(move, IDLE) or (isinstance(move, moves.PlayTactic) and move.card is None)
    unwanted = {"busy": idle, "mixed": False, "idle": not idle}[policy.split()[0]]
    on_the_wall = getattr(move, "fires", False) and policy == "busy again"  # there is little room
    return unwanted - on_the_wall, crc32(f"{policy} {move}".encode())


def read_table(state: State) -> Table:
    """The table as all see it, without what only records answers."""
    members = {name: getattr(state, name) for name in state.__struct_fields__}
    members["clans"] = [tuple(_read_clan(clan)) for clan in state.clans]
    members["tactic_deck"] = len(state.tactic_deck)
    for name, value in members.items():
        if name.endswith(("_deck", "_discard")) and isinstance(value, tuple):
            members[name] = sorted(value)
    del members["setup"]
    return tuple(members.values())


def _read_clan(clan: Any) -> Iterator[Any]:
    for name in clan.__struct_fields__:
        if name == "tactics":
            yield len(clan.tactics)
        elif name not in ("passing", "reaction"):
            yield getattr(clan, name)


def enrich(state: State) -> State:
    """The table with more resources and, in each Section in turn, an Archer on the Wall and others.

    In the games of bots there is seldom enough for two clans to be in each other's way.
    """
    rich = state.copy()
    for seat in range(rich.seats):
        clan = rich.clans[seat]
        clan.resources = tuple(count + 6 for count in clan.resources)
        for number, section in enumerate(rich.setup.table.sections):
            at = board.SECTION_NUMBER[section]
            fires = (number + seat) % 2 == 0 and rich.free_firing_spots(section) > 0
            for soldier in (board.SPEARMAN, board.ARCHER):
                if clan.pool[soldier]:
                    clan.pool = plus(clan.pool, soldier, -1)
                    if soldier == board.ARCHER and fires:
                        clan.firing = plus(clan.firing, at)
                    else:
                        clan.rest = put(clan.rest, at, plus(clan.rest[at], soldier))
    return rich


def _matters(state: State, seat: Seat, place: Place) -> bool:
    answers = sample_answers(state, seat)
    return len(answers) > 1 and any(differ(state, answers, each, str(place)) for each in POLICIES)


class Census:
    """How often each place asked, and which places asked something that mattered."""

    def __init__(self) -> None:
        self.asked: Counter[Place] = Counter()
        self.shown: set[Place] = set()

    def count(self, mode: str, state: State) -> None:
        """Compare the answers of all seats that are asked, unless the place is known to matter.

        Questions for tactic cards depend on the hand: see `could_any_card_matter`.
        """
        if isinstance(state.agenda[-1], effects.React):
            return
        for seat in state.agenda[-1].seats:
            place = (mode, *find_place(state))
            if place in self.shown or len(sample_answers(state, seat)) < 2:
                continue
            self.asked[place] += 1
            if any(_matters(table, seat, place) for table in (state, enrich(state))):
                self.shown.add(place)

    def find_idle(self, often: int) -> dict[Place, str]:
        """The places that asked this often in a mode, and nothing that mattered; and how often."""
        return {
            place[1:]: f"{asked} times in {place[0]} games"
            for place, asked in self.asked.items()
            if asked >= often and place not in self.shown
        }


def could_any_card_matter(state: State, seat: Seat) -> bool:
    """Whether a card that this seat may hold, as all know, changes more than the hands."""
    hidden = {*state.tactic_deck, *chain(*(clan.tactics for clan in state.clans))}
    return any(_could_matter(state, seat, card) for card in sorted(hidden))


def _could_matter(state: State, seat: Seat, card: str) -> bool:
    held, spent = state.copy(), state.copy()
    held.clans[seat].tactics, spent.clans[seat].tactics = (card,), ()
    spent.tactic_discard = (*state.tactic_discard, card)
    pass_ = moves.PlayTactic(seat)
    return any(
        play_out(held, answer, policy, card)[0] != play_out(spent, pass_, policy, card)[0]
        for answer in ANSWERS.legal_moves(held, seat)
        if isinstance(answer, moves.PlayTactic) and answer.card
        for policy in POLICIES
    )
