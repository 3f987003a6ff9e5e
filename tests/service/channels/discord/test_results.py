"""The end of a match in Discord says where the points are from."""

from __future__ import annotations

import pytest

from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.decisions import ending, playing
from domain.match.log import Draft
from domain.match.state import Match
from service.matches.commands import Metadata, execute
from tests.discord.people import text
from tests.engine.toy import GAME as TOY
from tests.service.channels.discord.conftest import DiscordHarness, Guest
from tests.service.channels.discord.test_playing import open_card

MOVES = 12
"""Number of moves before one player resigns, unless the game ends before."""


def play(harness: DiscordHarness, match_id: str) -> None:
    """Make random moves, not by buttons: the end alone is of interest."""
    luck = Luck(1)

    def make_any(match: Match, now: int) -> Draft:
        moves = legal_moves(match.game, match.state, match.seats_to_move[0])
        return playing.move(match, choose(luck, moves), now)

    for _ in range(MOVES):
        match = harness.annals.matches.latest(match_id)
        if match.status == "active":
            mover = match.chairs[match.seats_to_move[0]].player
            execute(harness.annals, match_id, Metadata(mover or ""), make_any)


@pytest.mark.parametrize("game", [*GAMES, TOY.key])
def test_each_player_has_the_parts_of_their_points(
    game: str, harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    match_id = text(open_card(ada, ben, game)).split("`")[1]
    play(harness, match_id)
    if harness.annals.matches.latest(match_id).status == "active":
        ada.presses(ada.says("resign"), "Resign")
    execute(harness.annals, match_id, Metadata("system"), lambda match, _: ending.score(match))
    shown = text(ada.says("board", match=match_id)).splitlines()
    match = harness.annals.matches.latest(match_id)
    texts = match.game.words().texts
    assert match.scoring
    for line in match.scoring.lines:
        [said] = [one for one in shown if one.startswith(f"{line.rank}. ")]
        name, _, parts = said.partition(" (")
        assert name.endswith(f": {line.points}")
        scored = {texts[f"score_{part}"]: points for part, points in line.breakdown.items()}
        wanted = [f"{part} {points}" for part, points in scored.items() if points]
        assert parts.removesuffix(")") == (", ".join(wanted) if len(scored) > 1 else "")
