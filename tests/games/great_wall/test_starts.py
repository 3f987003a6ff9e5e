"""Positions from which a match can start: those where a turn begins. Others are refused."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import Json, advance, legal_moves, seats_to_move
from domain.engine.starting.starts import read_start
from domain.games.great_wall import GAME, board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks
from domain.games.great_wall.state.clans import Claim, Leaders, Reaction
from domain.games.great_wall.state.table import ClerkBonus, LaidCommand, State
from tests.games.great_wall.game import new_table
from tests.games.record import play_randomly
from tests.support.for_each import for_each

TABLES = [(mode, seats) for mode, counts in board.PLAYERS.items() for seats in counts]
EVERY = 4
"""Of the moments in the middle of a turn, one in this many is tried."""
MIDDLE = "To go on from the middle of a turn, fork a match."
COMMANDS = (
    'A position begins where a turn begins: `agenda` is [{"type":"RevealCommands","seats":[]},'
    f'{{"type":"ChooseCommand","seats":[0,1,2]}}]. {MIDDLE}'
)
LEADERS = COMMANDS.replace("Commands", "Leaders").replace("Command", "Leaders")
ONLY_DEALT = "A clan without leaders has only dealt cards and its `hand`."
LEAVE_OUT = f"`{{}}`: A position begins where a turn begins: leave this out. {MIDDLE}"
OF_CLAN = LEAVE_OUT.replace("{}", "clans/0/{}")
NO_SLOT = "A Horde card has no more Shame than slots for it."
NO_YEAR = "`slot`: There is no slot of the Time track 0 on this table."
MOVING = clerks.MoveClerks((0,), left=1, spread="any")


def read(state: State) -> State:
    """The position, written and read again as one from outside."""
    again: State = read_start(GAME, state.setup, GAME.write_position(state), state.seats)
    return again


def refusal(state: State) -> str | None:
    """The refusal of a position; None if a match can start from it."""
    try:
        read_start(GAME, state.setup, GAME.write_position(state), state.seats)
    except BadPosition as refused:
        return str(refused)
    return None


def changed(state: State, **values: Any) -> State:
    """The table with these values."""
    new = state.copy()
    for name, value in values.items():
        setattr(new, name, value)
    return new


def with_clan(state: State, **own: Any) -> State:
    """The table with these belongings of the first clan."""
    new = state.copy()
    for name, value in own.items():
        setattr(new.clans[0], name, value)
    return new


@cache
def in_fall(mode: board.Mode = "standard", seats: int = 3) -> State:
    """The first choice of command cards in a random game."""
    dice = Luck(seats)
    state = new_table(seats, dice, mode=mode)
    while not isinstance(state.agenda[-1], steps.ChooseCommand):
        advance(GAME, state, legal_moves(GAME, state, seats_to_move(state)[0])[0], dice)
    return state


def begins_turn(state: State) -> bool:
    """Whether all seats that choose leaders or command cards still have to choose."""
    choosing = isinstance(state.agenda[-1], steps.ChooseLeaders | steps.ChooseCommand)
    return choosing and not any(clan.leaders or clan.command for clan in state.clans)


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_a_match_starts_at_each_beginning_of_a_turn_and_nowhere_else(mode, seats):
    """GW-2.8, GW-7.1"""
    setup = GAME.setup(GAME.options(mode=mode), seats)
    played = play_randomly(GAME, setup, seats, Luck(f"{mode} {seats}"))
    starts = 0
    for number, state in enumerate(moment.state for moment in played.moments):
        if number % EVERY and not begins_turn(state):
            continue
        assert GAME.read_position(setup, GAME.write_position(state), seats) == state
        if begins_turn(state):
            starts += 1
            assert read(state) == state
        else:
            told = refusal(state)
            assert told is not None
            assert "A position begins where a turn begins: " in told
            assert told.endswith(MIDDLE)
    assert starts > 1


def test_the_example_on_the_page_of_the_game_is_read():
    """GW-7.1"""
    page = Path("docs/games/great_wall.md").read_text(encoding="utf-8")
    [example] = re.findall(r'```json\n(\{"clans".*?)```', page, re.DOTALL)
    state = read_start(GAME, GAME.setup(GAME.options(), 3), json.loads(example), 3)
    assert state.agenda[-1] == steps.ChooseCommand((0, 1, 2))


def test_only_seats_with_command_cards_choose_one():
    """GW-7.1"""
    state = with_clan(in_fall(), hand=(), discard=tuple(decks.COMMANDS))
    assert refusal(state) == COMMANDS.replace("0,1,2", "1,2")
    state.agenda[-1] = steps.ChooseCommand((1, 2))
    assert read(state) == state
    for clan in state.clans:
        clan.hand, clan.discard = (), tuple(decks.COMMANDS)
    state.agenda[-1] = steps.ChooseCommand((0, 1, 2))
    assert refusal(state) == "At least one clan has a command card in `hand`."


@for_each(
    ("values", "reason"),
    [
        ({"agenda": [steps.RevealCommands(), MOVING]}, COMMANDS),
        ({"agenda": [steps.EndCheck(), steps.ChooseCommand((0, 1, 2))]}, COMMANDS),
        ({"agenda": [steps.RevealCommands(), steps.ChooseCommand((0, 1))]}, COMMANDS),
        ({"agenda": [steps.TakeTurn(slot=1), MOVING]}, COMMANDS),
        ({"agenda": [steps.RevealLeaders(), steps.ChooseLeaders((0,))]}, LEADERS),
        ({"season": "summer"}, "With this `agenda`, `season` is fall."),
        (
            {"agenda": [], "ended": "time", "winners": (0,)},
            "The game has `ended` or has `winners`. A position begins where a turn begins.",
        ),
        ({"active": 0}, LEAVE_OUT.format("active")),
        ({"doubled": (ClerkBonus(0, "any", 2),)}, LEAVE_OUT.format("doubled")),
        ({"played": ("volley",)}, LEAVE_OUT.format("played")),
        ({"breaches": 1}, LEAVE_OUT.format("breaches")),
        ({"defeats": 1}, LEAVE_OUT.format("defeats")),
    ],
)
def test_a_turn_that_has_begun_is_refused(values, reason):
    """GW-7.1, GW-13.8, GW-16.13"""
    assert refusal(changed(in_fall(), **values)) == reason


def test_the_command_track_is_empty():
    """GW-7.2, GW-12.3"""
    state = with_clan(in_fall(), hand=tuple(decks.COMMANDS)[1:])
    state.track = (LaidCommand(0, next(iter(decks.COMMANDS))), None, None)
    assert refusal(state) == LEAVE_OUT.format("track")


@for_each(
    ("own", "reason"),
    [
        ({"command": "economy"}, OF_CLAN.format("command")),
        ({"shown": "economy"}, OF_CLAN.format("shown")),
        ({"reaction": Reaction(None)}, OF_CLAN.format("reaction")),
        (
            {"leaders": Leaders("song_ci", "fletcher", "logistician")},
            OF_CLAN.format("leaders"),
        ),
        ({"passing": ("turn", "you_attack")}, None),
        ({"passing": ("turn", "turn")}, "`clans/0/passing`: It names something twice."),
        ({"passing": ("moonrise",)}, "`passing` can be turn, card, "),
        (
            {"defeated": ("axemen_left",)},
            "`clans/0/defeated`: In this mode Horde cards are `claimed`",
        ),
    ],
)
def test_a_clan_that_chooses_a_command_card_has_chosen_nothing(own, reason):
    """GW-2.8, GW-7.1, GW-9.4"""
    state = with_clan(in_fall(), **own)
    clan = state.clans[0]
    chosen = (clan.command, clan.shown)
    clan.hand = tuple(card for card in clan.hand if card not in chosen)
    told = refusal(state)
    assert told is None if reason is None else told is not None and told.startswith(reason)


def test_cards_are_dealt_before_the_first_year():
    """GW-2.8"""
    state = in_fall()
    told = refusal(with_clan(state, dealt_advisors=state.advisor_deck[:2]))
    assert told == "With this `agenda`, `dealt_generals` and `dealt_advisors` have 0 cards."


@for_each(("shame", "fits"), [(0, True), (2, True), (3, False), (-1, False)])
def test_shame_lies_on_a_claimed_horde_card_as_far_as_it_has_slots(shame, fits):
    """GW-11.2"""
    state = in_fall()
    card = next(card for card in state.horde_deck if decks.HORDES[card].shame_slots == 2)
    state = with_clan(state, claimed=(Claim(card, shame=shame),))
    state.shame, state.indicator = 20, None
    assert refusal(state) == (None if fits else f"`clans/0/claimed/0`: {NO_SLOT}")


@for_each(
    ("own", "reason"),
    [
        (
            {"dealt_advisors": ()},
            "With this `agenda`, `dealt_generals` and `dealt_advisors` have 2 cards.",
        ),
        ({"discard": ("economy",)}, ONLY_DEALT),
        ({"supporting": ("spy",)}, ONLY_DEALT),
    ],
)
def test_a_clan_that_chooses_leaders_has_only_dealt_cards(own, reason):
    """GW-2.8"""
    assert refusal(with_clan(new_table(3), **own)) == reason


def test_no_season_has_begun_when_leaders_are_chosen():
    """GW-2.8, GW-3.1"""
    state = changed(new_table(3), season="fall")
    assert refusal(state) == "With this `agenda`, `season` is null."


@pytest.mark.parametrize(("slot", "reason"), [(0, NO_YEAR), (1, None)])
def test_five_players_begin_with_the_second_slot(slot, reason):
    """GW-17.1"""
    told = refusal(changed(in_fall(seats=5), slot=slot))
    assert told is None if reason is None else told is not None and told.startswith(reason)


def test_a_clan_attacks_a_horde_card_once():
    """GW-10.9"""
    position = written(in_fall())
    [(_, [horde, *_]), *_] = position["hordes"].items()
    horde["struck"] = [0, 0]
    with pytest.raises(BadPosition, match="`hordes/left/0/struck`: It names something twice"):
        read_start(GAME, in_fall().setup, position, 3)


def written(state: State) -> Json:
    """The position as a client sends it."""
    return json_codec.json_round_trip(GAME.write_position(state))


# the cooperative game


@for_each(
    ("values", "reason"),
    [
        ({"requests": ()}, "The number of open `requests` is 3."),
        (
            {"requests": ("rites", "timber_levy", "clean_hands", "quarry_levy")},
            "The number of open `requests` is 3.",
        ),
        ({"fulfilled": ("learned_council",)}, None),
        ({"breaches": 1}, LEAVE_OUT.format("breaches")),
        ({"slot": 2, "events": tuple(decks.EVENTS)[:2]}, None),
        (
            {"slot": 2, "events": tuple(decks.EVENTS)[:3]},
            "There can be at most 2 `events`, one for each Year.",
        ),
    ],
)
def test_requests_and_events_of_a_year_are_read_or_refused(values, reason):
    """GW-16.1, GW-16.13, GW-16.14"""
    state = changed(in_fall("coop"), requests=("rites", "timber_levy", "clean_hands"))
    assert refusal(changed(state, **values)) == reason


def test_with_enough_fulfilled_requests_the_game_is_over():
    """GW-16.12"""
    state = in_fall("coop")
    cards = state.setup.requests
    almost = changed(state, requests=cards[:3], fulfilled=cards[3:9])
    assert refusal(almost) is None
    over = changed(state, requests=cards[:3], fulfilled=cards[3:10])
    assert refusal(over) == "With 7 Requests `fulfilled` the game is over."


def test_fewer_requests_are_open_if_there_are_no_more():
    """GW-16.13"""
    state = in_fall("coop")
    left = state.setup.requests[:2]
    setup = msgspec.structs.replace(state.setup, requests=left)
    assert refusal(changed(state, setup=setup, requests=left)) is None


def test_claimed_horde_cards_are_not_kept():
    """GW-16.9"""
    state = in_fall("coop")
    assert refusal(with_clan(state, defeated=(state.horde_deck[0],))) is None
    assert (
        refusal(with_clan(state, defeated=("moon",)))
        == "`clans/0/defeated/0`: There is no Horde card 'moon' on this table."
    )
    kept = changed(with_clan(state, claimed=(Claim(state.horde_deck[0]),)), indicator=None)
    assert (
        refusal(kept)
        == "`clans/0/claimed`: In this mode Horde cards are `defeated`, not `claimed`."
    )
