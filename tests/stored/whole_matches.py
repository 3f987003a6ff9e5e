"""Matches with nearly every type of event and move, for a store that is recorded.

Games are played as the recorded games were, with other dice, and tables live through random
commands. What adds no type is not stored. What none of them has, and a recorded game has, is played
in a fork of that game; what is rarer begins at a position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any

from domain.audit.texts import with_head
from domain.engine.codecs import json_codec
from domain.engine.codecs.binary_codec import class_id, read_class_ids
from domain.engine.dice import Luck, choose
from domain.engine.errors import Refusal
from domain.engine.game import Game, fold
from domain.games import GAMES
from domain.match.decisions import ending, lobby, playing
from domain.match.log import AnyEvent, Draft, Entry, apply_events, make_entry
from domain.match.scheduled_work import Work, due_changes, due_work
from domain.match.state import Chair, ForkedFrom, Match
from service.store.event_store import AppendSuccess, EventStore
from service.store.idempotency import command_id
from tests.games.replay import Plan, read
from tests.games.test_replays import REPLAYS
from tests.match.table import Table, clock
from tests.match.test_walk import COMMANDS, OFTEN, PEOPLE
from tests.stored.rare_turns import rare_turns

SEED = bytes(range(7, 39))
NOON = 1_700_000_000_000
PLAYER = "u0123456789abcdef"
MAX_ENTRIES = 400
CHOICES = 2
"""With how many seeds of its choices each recorded game is played."""
WALKS, STEPS = 60, 60
"""How many tables live through random commands, and through how many."""
SEATS = ("ann bob", "ann . ?bob", "ann bob cid dan", "ann +{bot} cid", "ann .")
CLOCKS = (None, clock(per_move=10), clock(bank=20, increment=3))
COMMAND_NAMES = (*(name for name in COMMANDS if name != "continue"), *OFTEN, *OFTEN)
"""A series continues with a match that a walk does not have."""
Step = tuple[Entry, Mapping[Work, int | None]]
"""An entry, and what changes in the due work."""


class DueChanges:
    """What changes in the due work of a match from entry to entry."""

    def __init__(self) -> None:
        self._before: dict[Work, int] = {}

    def after(self, match: Match) -> Mapping[Work, int | None]:
        """What has changed since the last entry."""
        before, self._before = self._before, due_work(match)
        return due_changes(before, self._before)


class MatchRecorder:
    """A match in memory, with the steps that a store needs."""

    def __init__(self, game: Game[Any], plan: lobby.Plan) -> None:
        self.match, self.steps, self._id = Match(game, SEED), list[Step](), plan.match
        self._due = DueChanges()
        self.append(lobby.create(game, plan, SEED, NOON), plan.host, secret=2 * SEED)

    def append(self, draft: Draft, actor: str, secret: bytes = b"") -> None:
        """Append an entry."""
        version, rules = self.match.version + 1, self.match.game.rules
        command = command_id(actor, str(version), "")
        entry = make_entry(draft, version, actor, NOON + version, rules, command, secret)
        entry = with_head(self._id, self.match, entry, draft)
        apply_events(self.match, entry, draft.events)
        self.steps.append((entry, self._due.after(self.match)))


class WalkedTable(Table):
    """A table that collects the steps that a store needs."""

    def __init__(self, seats: str, **terms: Any) -> None:
        self.steps, self._due = list[Step](), DueChanges()
        super().__init__(seats, **terms)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> list[AnyEvent]:
        """Record a draft."""
        events = super().act(draft, actor, secret)
        self.steps.append((self.entries[-1], self._due.after(self.match)))
        return events


def tag(key: str) -> str:
    """The four letters with which the ids of matches of a game begin."""
    return f"{key:x<4.4}"


def play_whole(name: str, plan: Plan, seed: int) -> list[Step]:
    """A match that is played as this recorded game was, by these choices."""
    position = getattr(plan, "position", None)
    recorder, choices = MatchRecorder(plan.game, open_table(name, plan, position)), Luck(seed)
    while recorder.match.status == "active" and recorder.match.version < MAX_ENTRIES:
        move = plan.choose(recorder.match.state, choices)
        recorder.append(playing.move(recorder.match, move, NOON), PLAYER)
    return end(recorder)


def open_table(name: str, plan: Plan, position: Any, **more: Any) -> lobby.Plan:
    """A table on which one player has all seats of a recorded game."""
    return lobby.Plan(
        match=name, host=PLAYER, chairs=(Chair(player=PLAYER),) * plan.seats, seed_given=True,
        options=plan.options, position=position, expires=0, **more,
    )  # fmt: skip


def end(recorder: MatchRecorder) -> list[Step]:
    """End a match by resignation, unless it is over; its steps."""
    if recorder.match.status == "active":
        recorder.append(playing.resign(recorder.match, PLAYER, NOON), PLAYER)
    recorder.append(ending.score(recorder.match), "system")
    return recorder.steps


def forks(known: set[tuple[str, int]]) -> Iterator[tuple[str, list[Step]]]:
    """Forks of recorded games right before an entry with a type that is not known: the recorded
    move, with other dice, has it most of the time. Adds to `known` what the forks have.
    """
    names = count()
    for key in GAMES:
        for plan in REPLAYS[key].plans:
            state = plan.table()
            for line in REPLAYS[key].load(plan.name)["entries"]:
                events, move = read(plan, line), line["move"]
                chosen = json_codec.read_move(plan.game, move["seat"], move) if move else None
                types = {(tag(key), class_id(type(one))) for one in (*events, chosen or events[0])}
                if chosen and not types <= known:
                    name = f"{tag(key)}fork{next(names):04}"
                    steps = play_fork(name, plan, state, chosen)
                    known |= types_of((name, steps))
                    yield name, steps
                fold(state, events)


def play_fork(name: str, plan: Plan, state: Any, *moves: Any) -> list[Step]:
    """A fork from a state in which these moves are made."""
    position = json_codec.json_round_trip(plan.game.write_position(state))
    terms = open_table(name, plan, position, setup=state.setup, forked_from=ForkedFrom(name, 1))
    recorder = MatchRecorder(plan.game, terms)
    for move in moves:
        recorder.append(playing.move(recorder.match, move, NOON), PLAYER)
    return end(recorder)


def play_rare_turns() -> Iterator[tuple[str, list[Step]]]:
    """Forks with what no recorded game has, by id."""
    for number, turn in enumerate(rare_turns()):
        name = f"{tag(turn.plan.game.key)}rare{number:04}"
        yield name, play_fork(name, turn.plan, turn.state, *turn.moves)


def walk(name: str) -> list[Step]:
    """A match of the first game, which players begin, leave, undo and so on at random."""
    luck, game = Luck(name), next(iter(GAMES.values()))
    table = WalkedTable(
        choose(luck, SEATS).format(bot=game.levels[0].key), game=game, match=name,
        undo=choose(luck, ("free", "consent", "off")), clock=choose(luck, CLOCKS),
        on_timeout=choose(luck, ("bot", "resign")), seed=SEED,
    )  # fmt: skip
    for _ in range(STEPS):
        command, player = choose(luck, COMMAND_NAMES), choose(luck, PEOPLE)
        table.wait(choose(luck, (0, 0, 0, 1, 9, 700)))
        try:
            draft = COMMANDS[command](table, player, choose(luck, (1, 2, 3, 4, 6, 7, 8, 9)))
        except Refusal:
            continue
        table.act(draft, player if draft.move is None else table.who(draft.move.seat))
    return table.steps


def candidates() -> Iterator[tuple[str, list[Step]]]:
    """All matches among which to choose, by id."""
    for seed in range(CHOICES):
        for key, replays in REPLAYS.items():
            for number, plan in enumerate(replays.plans if key in GAMES else ()):
                name = f"{tag(key)}{number:03}{seed:05}"
                try:
                    yield name, play_whole(name, plan, plan.seed + seed)
                except Refusal:  # it begins in the middle of a turn, as only a fork may
                    continue
    for number in range(WALKS):
        name = f"{tag(next(iter(GAMES)))}walk{number:04}"
        yield name, walk(name)


def record_whole_matches(store: EventStore, known: Collection[tuple[str, int]]) -> list[str]:
    """Store as few of the matches as have all their types but the `known` ones, by tag of the game;
    returns the ids.
    """
    found = {**dict(candidates()), **dict(play_rare_turns())}
    found |= forks(set(chain.from_iterable(map(types_of, found.items()))))
    types = {name: types_of((name, steps)) for name, steps in found.items()}
    counts = Counter(chain.from_iterable(types.values()))
    for name in sorted(found, key=lambda name: -len(found[name])):
        if all(counts[one] > 1 or one in known for one in types[name]):  # others have them, too
            counts.subtract(types[name])
            del found[name]
    for name, steps in found.items():
        for entry, due in steps:
            assert store.append(name, entry, due) == AppendSuccess(entry.version)
    return list(found)


def types_of(match: tuple[str, list[Step]]) -> set[tuple[str, int]]:
    """The types in a match, given with its name."""
    name, steps = match
    return set(types_in(name[:4], (entry for entry, _ in steps)))


def types_in(game: str, entries: Iterable[Entry]) -> Iterator[tuple[str, int]]:
    """The types of the events and moves of entries, each with its game."""
    for entry in entries:
        for packed in (entry.events, b"\x91" + entry.move if entry.move else b"\x90"):
            yield from ((game, number) for number in read_class_ids(packed))
