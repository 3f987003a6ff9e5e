"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    Who,
    Words,
    as_it_is,
    counted,
    each,
    either,
    person,
    read,
    word,
)
from domain.games.tigris_euphrates.state.steps import Conflict
from domain.games.tigris_euphrates.view import View


def _conflict(_view: object, conflict: Conflict) -> Part:
    """Who attacks whom, in what."""
    return Sentence(
        f"conflict_{conflict.kind}",
        {
            "attacker": Who(conflict.attacker),
            "defender": Who(conflict.defender),
            "leaders": Sentence(f"leaders_{conflict.color}"),
        },
    )


def _side(view: View, conflict: Conflict) -> Part:
    """What the side that has to decide commits, and to what."""
    side = "attack" if view.awaiting == (conflict.attacker,) else "defence"
    return Sentence(
        f"{side}_{conflict.kind}",
        {
            "color": Sentence(f"color_{conflict.support}"),
            "leaders": Sentence(f"leaders_{conflict.color}"),
        },
    )


def _tiles(_view: object, number: str) -> Part:
    """How many tiles, as they are named to be committed."""
    return Sentence("tiles", {"count": int(number)})


SAYINGS: Sayings = {
    "attacker": person,
    "choices": either(as_it_is),
    "ChooseWar.colors": either(word("leader")),
    "color": word("tile"),
    "colors": each(word("tile")),
    "conflict": _conflict,
    "covered": word("tile"),
    "leader": word("leader"),
    "LeaderExiled.color": word("leader"),
    "LeaderMoved.color": word("leader"),
    "LeaderPlaced.color": word("leader"),
    "LeaderWithdrawn.color": word("leader"),
    "left": counted("actions"),
    "loser": person,
    "missing": counted("tiles"),
    "monument": word("monument"),
    "MonumentBuilt.color": word("color"),
    "MonumentScored.color": word("color"),
    "OfferMonument.color": word("color"),
    "points": counted("points"),
    "reason": word("end"),
    "Reinforce.conflict": _side,
    "RevoltDecided.color": word("leaders"),
    "squares": either(as_it_is),
    "TileScored.color": word("color"),
    "touch_commit.a": _tiles,
    "touch_leader.a": word("name"),
    "touch_monument.a": word("monument"),
    "touch_tile.a": word("name"),
    "touch_war.a": word("name"),
    "TreasuresTaken.left": as_it_is,
    "WarChosen.color": word("leaders"),
    "WarDecided.color": word("leaders"),
    "winner": person,
}
TEXTS = read(__package__)
ENGLISH = Words(TEXTS["en"])
