"""Games of The Great Wall recorded as data and as text, for replay tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.engine.bots import bot_view, mix
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves, random_bot, seats_to_move
from domain.games.great_wall import GAME
from domain.games.great_wall.bot.hasty import hasty_bot
from domain.games.great_wall.state.table import State
from tests.games import replay
from tests.games.great_wall.alone import AHEAD
from tests.games.great_wall.together import NEARLY_WON

MIXED_BOT = mix(35, random_bot, hasty_bot)
"""Builds and fights more than a random bot."""


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game with many events; in words, the number of moves, and the end."""

    game = GAME

    def choose(self, state: State, choices: Luck) -> Any:
        seat = choose(choices, seats_to_move(state))
        return MIXED_BOT(bot_view(GAME, state, seat, choices))

    def show(self, state: State) -> list[str]:
        menu = [
            f"seat {seat}: {len(legal_moves(GAME, state, seat))}" for seat in seats_to_move(state)
        ]
        return [f"moves of {', '.join(menu)}" if menu else "no moves"]

    def beside(self, number: int, state: State) -> list[str]:
        """At the end, the view of each seat."""
        if seats_to_move(state):
            return []
        views = [
            GAME.render_text(GAME.view(state, seat), GAME.words())
            for seat in (None, *range(self.seats))
        ]
        return [*views[:-1], views[-1].removesuffix("\n")]


def ends_by(reason: str) -> Any:
    """Whether a recorded game ended for this reason: GW-13.8."""
    return lambda recorded: any(
        event["type"] == "GameEnded" and event["reason"] == reason
        for event in replay.events(recorded)
    )


def wins_by(reason: str) -> Any:
    """Whether a seat won a recorded game that ended for this reason: GW-14.14, GW-16.12."""
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
        Plan("hands", 57, 2, {"extended_decks": True}),
        Plan("walls", 14, 5, {"open_resources": True}),
        Plan("four", 62, 4, {"extended_decks": True}),
        Plan("five", 9, 5, {"open_resources": True}),
        Plan("reshuffled", 38, 5, {"extended_decks": True}),
        Plan("alone", 0, 1, {"mode": "solo"}),
        Plan("hard", 8, 1, {"mode": "solo", **HARD}),
        Plan("ashamed", 24, 1, {"mode": "solo", **VERY_HARD}),
        Plan("ahead", 1, 1, {"mode": "solo"}, position=AHEAD),
        Plan("together", 9, 4, {"mode": "coop"}),
        Plan("pair", 23, 2, {"mode": "coop"}),
        Plan("won", 3, 3, {"mode": "coop", "extended_decks": True}, position=NEARLY_WON),
    ],
    in_words=("three", "walls", "alone", "won"),
    options=("mode", "extended_decks", "open_resources", "difficulty", "solo_activation_order"),
    shows={
        "walls": ends_by("walls"),
        "five": ends_by("time"),
        "three": ends_by("shame"),
        "ahead": wins_by("time"),
        "won": wins_by("requests"),
    },
    rare=frozenset(
        [
            # of only one event
            "SendClerkBack",
            # when a deck is empty
            "AdvisorsReshuffled",
            "SoloCommandsReshuffled",
        ]
    ),
)
