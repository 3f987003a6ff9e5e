"""Games of The Great Wall recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.engine.bots import mixed, random_bot, sight_of
from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, legal_moves
from domain.games.great_wall import GAME
from domain.games.great_wall.bot.hasty import hasty
from domain.games.great_wall.state.table import State
from tests.games import replay
from tests.games.great_wall.alone import AHEAD
from tests.games.great_wall.together import NEARLY_WON

SOMEBODY = mixed(35, random_bot, hasty)
"""Builds and fights more than chance does."""


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game in which much happens; in words, the number of moves, and the end."""

    game = GAME

    def chosen(self, state: State, choices: Luck) -> Any:
        seat = choose(choices, awaited(state))
        return SOMEBODY(sight_of(GAME, state, seat, choices))

    def shown(self, state: State) -> list[str]:
        menu = [f"seat {seat}: {len(legal_moves(GAME, state, seat))}" for seat in awaited(state)]
        return [f"moves of {', '.join(menu)}" if menu else "no moves"]

    def beside(self, number: int, state: State) -> list[str]:
        """At the end what each seat sees."""
        if awaited(state):
            return []
        views = [GAME.text(GAME.view(state, seat)) for seat in (None, *range(self.seats))]
        return [*views[:-1], views[-1].removesuffix("\n")]


def ended_by(reason: str) -> Any:
    """Whether a recorded game ended like this: GW-13.8."""
    return lambda recorded: any(
        event["type"] == "GameEnded" and event["reason"] == reason
        for event in replay.events(recorded)
    )


def won_by(reason: str) -> Any:
    """Whether somebody won a recorded game that ended like this: GW-14.14, GW-16.12."""
    return lambda recorded: any(
        event["type"] == "GameEnded" and event["reason"] == reason and event["winners"]
        for event in replay.events(recorded)
    )


HARD = {"difficulty": "hard", "solo_activation_order": "highest_first"}
VERY_HARD = {"difficulty": "very_hard", "extended_decks": True, "solo_initial_hordes": 4}
REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[
        Plan("three", 33, 3, {"extended_decks": True}),
        Plan("reed", 56, 2, {"extended_decks": True}),
        Plan("hired", 48, 2),
        Plan("hands", 12, 2, {"extended_decks": True}),
        Plan("walls", 5, 5, {"open_resources": True}),
        Plan("four", 62, 4, {"extended_decks": True}),
        Plan("five", 9, 5, {"open_resources": True}),
        Plan("reshuffled", 19, 5, {"extended_decks": True}),
        Plan("alone", 0, 1, {"mode": "solo"}),
        Plan("hard", 8, 1, {"mode": "solo", **HARD}),
        Plan("ashamed", 24, 1, {"mode": "solo", **VERY_HARD}),
        Plan("ahead", 1, 1, {"mode": "solo"}, position=AHEAD),
        Plan("together", 7, 4, {"mode": "coop"}),
        Plan("pair", 9, 2, {"mode": "coop"}),
        Plan("won", 1, 3, {"mode": "coop", "extended_decks": True}, position=NEARLY_WON),
    ],
    in_words=("three", "walls", "alone", "won"),
    options=("mode", "extended_decks", "open_resources", "difficulty", "solo_activation_order"),
    shows={
        "walls": ended_by("walls"),
        "five": ended_by("time"),
        "three": ended_by("shame"),
        "ahead": won_by("time"),
        "won": won_by("requests"),
    },
    rare=frozenset(
        [
            # of one event alone
            "SendClerkBack",
            # when a deck was used up
            "AdvisorsReshuffled",
            "SoloCommandsReshuffled",
        ]
    ),
)
