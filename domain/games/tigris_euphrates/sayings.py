"""The sentences of the game; `texts` has their words in each language."""

from __future__ import annotations

from collections import Counter

from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    describe_fields,
    each,
    either,
    person,
    same_effects,
    sentence,
    silent,
    verbatim,
    who_wins,
    with_count,
    word,
)
from domain.games.tigris_euphrates.events.conflicts import ConflictBegan
from domain.games.tigris_euphrates.state.steps import Conflict, Reinforce, Turn
from domain.games.tigris_euphrates.view import View


def _conflict(_view: object, conflict: Conflict) -> Part:
    """Attacker, defender and kind of conflict."""
    return Sentence(
        f"conflict_{conflict.kind}",
        {
            "attacker": SeatName(conflict.attacker),
            "defender": SeatName(conflict.defender),
            "leader": Sentence(f"leader_{conflict.color}"),
        },
    )


def _began(view: View, event: ConflictBegan) -> Sentence:
    """Who attacks whom, and their supporters if there are any."""
    spoken = describe_fields(event, view, SAYINGS)
    attackers, defenders = event.attacker_supporters, event.defender_supporters
    count = len(attackers) + len(defenders)
    told = sentence("supporters", count=count, attackers=attackers, defenders=defenders)
    return Sentence(spoken.key, {**spoken.parts, "supporters": told}, spoken.rules)


def _removed(_view: object, cells: tuple[str, ...]) -> Part:
    """The cells of the tiles that a war removes; nothing if there are none."""
    return sentence("removed", count=len(cells), cells=cells)


def _turn(view: View, step: Turn) -> Sentence:
    """A turn, and whether a catastrophe is among its choices."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    left = sum(view.catastrophes_left[seat] for seat in step.seats)
    more = sentence("more_catastrophe", count=left)
    return Sentence(asked.key, {**asked.parts, "more": more}, asked.rules)


def _reinforce(view: View, step: Reinforce) -> Sentence:
    """Which tiles a side of a conflict may commit, both strengths, and what there is to win. Those
    who see their hand read that it has no such tile; TE-9.3 asks them as well.
    """
    conflict, asked = step.conflict, describe_fields(step, view, SAYINGS, "ask_")
    side = "attack" if step.seats == (conflict.attacker,) else "defence"
    leaders = Sentence(f"leaders_{conflict.color}")
    color, hands = Sentence(f"color_{conflict.support}"), [view.hands[seat] for seat in step.seats]
    can_add = all(hand is None or conflict.support in hand for hand in hands)
    parts: dict[str, Part] = {
        "add": Sentence("add_tiles" if can_add else "add_none", {"color": color}),
        "color": color,
        "fight": Sentence(f"fight_{conflict.kind}", {"leaders": leaders}),
        "gain": Sentence(f"gain_{conflict.kind}"),
        "attack": conflict.attacker_board + view.committed[conflict.attacker],
        "defence": conflict.defender_board,
    }
    return Sentence(f"ask_Reinforce_{side}", {**asked.parts, **parts}, asked.rules)


def _drawn(_view: object, colors: tuple[str, ...]) -> Part:
    """Tiles by their kinds: `2 farms and 1 temple`."""
    counts = Counter(colors)
    return tuple(sentence(f"laid_{color}", count=count) for color, count in counts.items())


def _tiles(_view: object, number: str) -> Part:
    """How many tiles to commit, perhaps none."""
    return Sentence("committed", {"count": int(number)})


SAYINGS: Sayings = {
    "attacker": person,
    "choices": either(verbatim),
    "ChooseWar.colors": either(word("leader")),
    "color": word("tile"),
    "colors": each(word("tile")),
    "conflict": _conflict,
    "ConflictBegan": _began,
    "covered": word("tile"),
    **same_effects("effect_cell", "effect_catastrophe", "effect_commit"),
    **same_effects("effect_discard", "effect_monument", "effect_pass"),
    "effect_leader": word("effect"),
    "effect_tile": word("effect"),
    "leader": word("leader"),
    "GameEnded.winners": who_wins,
    "LeaderExiled.color": word("leader"),
    "LeaderMoved.color": word("leader"),
    "LeaderPlaced.color": word("leader"),
    "LeaderWithdrawn.color": word("leader"),
    "left": with_count("actions"),
    "loser": person,
    "missing": with_count("tiles"),
    "monument": word("monument"),
    "MonumentBuilt.color": word("color"),
    "MonumentScored.color": word("color"),
    "OfferMonument.color": word("color"),
    "points": with_count("points"),
    "reason": word("end"),
    "Reinforce": _reinforce,
    "RevoltDecided.color": word("leaders"),
    "squares": either(verbatim),
    "TileDiscarded.color": word("a_tile"),
    "TilePlaced.color": word("a_tile"),
    "TileScored.color": word("color"),
    "TilesDrawn.colors": _drawn,
    "Turn": _turn,
    "touch_commit.a": _tiles,
    "touch_leader.a": word("name"),
    "touch_monument.a": word("monument"),
    "touch_tile.a": word("name"),
    "touch_war.a": word("name"),
    "TilesCommitted.color": word("color"),
    "TreasuresTaken.left": verbatim,
    "UnificationTileRemoved": silent,
    "WarChosen.color": word("leaders"),
    "WarDecided.color": word("leaders"),
    "WarDecided.removed": _removed,
    "winner": person,
}
