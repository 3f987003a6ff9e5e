"""The worked examples, as data."""

import json
from importlib.resources import files

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge, seats_to_move
from domain.games.chang_cheng import GAME, moves
from domain.games.chang_cheng.board import CHINA
from domain.games.chang_cheng.events.cards import RegionScored
from domain.games.chang_cheng.events.course import EventCardScored, MongolsInvaded
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.table import prestige_left, threats_left
from tests.engine.table import Script
from tests.games.chang_cheng.table import cells, only
from tests.support.for_each import for_each

CASES = json.loads(files(__package__).joinpath("examples.json").read_text())["cases"]
STEPS = {
    "Turn": "action",
    "FirstTurn": "action",
    "SecondSingle": "second",
    "OfferNeutral": "neutral",
}


@for_each("case", CASES)
def test_a_worked_example(case):
    colours = case["setup"]["players"]
    state, told = table(case["setup"], case["expect"]), []
    for action in case["actions"]:
        for move in moves_of(action, colours):
            if action.get("expect") == "illegal":
                assert is_illegal(state, move)
                break
            events = decide(GAME, state, move, dice(state, action))
            fold(state, events)
            told += events
    Check(state, told, colours).all(case["expect"])


def test_the_rules_that_the_examples_show_are_in_the_book():
    assert {rule for case in CASES for rule in case["rules"]} <= set(GAME.rulebook.rules)


def table(setup, expect):
    """The position of an example; tiles that it does not name have any remaining value."""
    colours = setup["players"]
    seat = colours.index
    options = Options(colours=tuple(colours))
    boards = setup.get("boards", ["b1", "b2"])
    scored = {line["region"]: 0 for line in expect.get("scored", [])}
    threats = {name: -value for name, value in setup.get("threat", {}).items() if value}
    position = {
        "boards": boards,
        "active": seat(setup["active"]),
        "opening": setup.get("round") == 1,
        "first": 0,
        "pieces": [
            {
                "cells": piece["cells"],
                "seat": seat(piece["owner"]),
                "kind": piece.get("type", "single"),
            }
            for piece in setup.get("pieces", [])
        ],
        "cards": [
            {"seat": seat(card["owner"]), "number": card["number"], "region": region}
            for region, cards in setup.get("cards", {}).items()
            for card in cards
        ],
        "prestige": {**scored, **setup.get("prestige", {})},
        "threats": threats,
        "removed": [name for name, value in setup.get("threat", {}).items() if value is None],
        "emperors": setup.get("emperor", []),
        "events": setup.get("events", []),
        "points": [{"regions": setup.get("scores", {}).get(colour, 0)} for colour in colours],
    }
    if "hands" in setup:
        position["hands"] = [setup["hands"][colour] for colour in colours]
    return GAME.read_position(GAME.setup(options, len(colours)), position, len(colours))


def moves_of(action, colours):
    """The single moves of a command in the examples."""
    seat = colours.index(action["player"])
    return [move(seat) for move in COMMANDS[action["command"]](action)]


def effect(action):
    return EFFECTS[action["effect"]](action)


COMMANDS = {
    "place_single": lambda a: [lambda seat: moves.BuildSingle(seat, a["cell"])],
    "place_double": lambda a: [lambda seat: moves.BuildDouble(seat, tuple(a["cells"]))],
    "place_tower": lambda a: [lambda seat: moves.BuildTower(seat, a["cell"])],
    "place_cards": lambda a: [
        lambda seat, card=card: moves.LayCard(seat, card["region"], card["number"])
        for card in a["cards"]
    ],
    "place_card_and_wall": lambda a: [
        lambda seat: moves.LayCard(seat, a["region"], a["number"]),
        lambda seat: moves.BuildSingle(seat, a["cell"]),
    ],
    "place_neutral": lambda a: [lambda seat: moves.BuildNeutral(seat, a["cell"])],
    "extend": lambda a: [lambda seat: moves.ExtendWall(seat, a["board"], a["side"])],
    "resolve_card": lambda a: [effect(a)],
}
EFFECTS = {
    "destroy_wall": lambda a: lambda seat: moves.DestroyWall(seat, a["cell"]),
    "value_plus": lambda a: lambda seat: moves.ChangeValue(seat, 2),
    "extra_wall": lambda a: moves.AddWall,
    "remove_card": lambda a: lambda seat: moves.StrikeCard(seat, a["number"]),
    "swap": lambda a: lambda seat: moves.SwapWalls(seat, (a["cell"], a["other_cell"])),
    "remove_threat": lambda a: lambda seat: moves.RemoveThreat(seat, a["mongol"]),
}


def is_illegal(state, move):
    try:
        judge(GAME, state, move)
    except RuleBroken:
        return True
    return False


def dice(state, action):
    """Dice that draw the tiles of an example."""
    if "draws" not in action:
        return Luck(0)
    prestige, threats = prestige_left(state), threats_left(state)
    drawn = [(prestige, value) for value in action["draws"]["prestige"]]
    drawn += [(threats, -value) for value in action["draws"]["threat"]]
    numbers = []
    for bag, value in drawn:
        numbers.append(sum(bag[:value]))
        bag[value] -= 1
    return Script(*numbers)


class Check:
    """What an example expects, one method for each word it uses."""

    def __init__(self, state, told, colours):
        self.state, self.events, self.colours = state, told, colours
        self.view = GAME.view(state, None)

    def all(self, expect):
        for word, value in expect.items():
            getattr(self, word)(value)

    def by_colour(self, numbers):
        return dict(zip(self.colours, numbers, strict=True))

    def counted(self, event, extra):
        walls = [wall + more for wall, more in zip(event.walls, extra, strict=True)]
        counts = {**self.by_colour(walls), "neutral": event.neutral}
        return {colour: count for colour, count in counts.items() if count}

    def named(self, seats):
        return sorted(self.colours[seat] for seat in seats)

    def pending(self, expected):
        (seat,) = seats_to_move(self.state)
        assert (self.colours[seat], STEPS[type(self.view.step).__name__]) == (
            expected["who"],
            expected["type"],
        )

    def supply(self, expected):
        for colour, pieces in expected.items():
            for kind, count in pieces.items():
                assert self.left(colour, kind) == count

    def left(self, colour, kind):
        if colour == "neutral":
            return self.view.neutral
        return getattr(self.view.unbuilt[self.colours.index(colour)], f"{kind}s")

    def knows(self, expected):
        for colour, regions in expected.items():
            seat = self.colours.index(colour)
            assert [m.name for m in self.view.mongol if seat in m.seen_by] == regions
            told = [m.name for m in GAME.view(self.state, seat).mongol if m.threat is not None]
            assert told == regions

    def scores(self, expected):
        assert self.by_colour(self.view.scores).items() >= expected.items()

    def scores_before_events(self, expected):
        gained = [e.points for e in self.events if isinstance(e, EventCardScored)]
        before = [score - sum(p) for score, *p in zip(self.view.scores, *gained, strict=True)]
        assert self.by_colour(before) == expected

    def scored(self, expected):
        events = [event for event in self.events if isinstance(event, RegionScored)]
        assert [
            {
                "region": event.region,
                "value": event.value,
                "counts": self.counted(event, event.extra),
                "winners": self.named(event.winners),
            }
            for event in events
        ] == [{**line, "winners": sorted(line["winners"])} for line in expected]

    def emperor(self, expected):
        assert [region.name for region in self.view.china if region.emperor] == expected

    def pieces(self, expected):
        for name, piece in expected.items():
            (cell,) = [cell for cell in self.view.wall if cell.name == name]
            owner = "neutral" if cell.seat is None else self.colours[cell.seat]
            assert owner == piece["owner"]
            assert cell.kind == ("ruin" if piece["destroyed"] else piece["type"])

    def hands(self, expected):
        for colour, hand in expected.items():
            seat = self.colours.index(colour)
            assert list(GAME.view(self.state, seat).cards_in_hand[seat]) == hand

    def boards(self, expected):
        assert list(self.view.boards) == expected

    def extensions_done(self, expected):
        assert self.state.setup.extensions - self.view.extensions == expected

    def game_over(self, expected):
        assert (self.view.ended == "wall_complete") == expected

    def winners(self, expected):
        assert self.named(self.view.winners) == sorted(expected)

    def mongol(self, expected):
        attacks = {e.region: e for e in self.events if isinstance(e, MongolsInvaded)}
        assert set(attacks) == {region for region, line in expected.items() if line}
        for region, event in attacks.items():
            assert {
                "loss": event.threat,
                "counts": self.counted(event, [0] * len(event.walls)),
                "pays": self.named(event.payers),
            } == expected[region]

    def removed_threats(self, expected):
        assert [region.name for region in self.view.mongol if region.removed] == expected

    def legal_neutral_cells(self, expected):
        assert sorted(cells(self.state, moves.BuildNeutral)) == sorted(expected)


def test_the_value_of_w02_is_described_with_its_parts():
    """CC-6.4"""
    case = next(case for case in CASES if case["id"] == "W02")
    state = table(case["setup"], case["expect"])
    event = only(decide(GAME, state, moves.BuildSingle(0, "b1:4"), Luck(0)), RegionScored)
    assert (event.size, event.ruins, event.prestige, event.change) == (4, 0, 2, 0)
    assert event.region == CHINA[0]
