"""What a picture and a text both tell: sentences about the game."""

from __future__ import annotations

from domain.engine.panel import count
from domain.engine.telling import Sentence, Who, begun, say, sentence, told
from domain.games.chang_cheng.board import CARD_NAMES, EVENT_NAMES
from domain.games.chang_cheng.telling import SAYINGS, TEXTS
from domain.games.chang_cheng.view import ChinaView, MongolView, View

ENGLISH = TEXTS["en"]


def seat_name(view: View, seat: int) -> str:
    """A seat by its number and its colour."""
    colour = Sentence(f"colour_{view.colours[seat]}")
    return say(sentence("seat", number=seat, colour=colour), ENGLISH, ())


def said(view: View, spoken: Sentence) -> str:
    """A sentence in English, seats by their numbers and colours."""
    return begun(say(spoken, ENGLISH, [seat_name(view, seat) for seat in range(len(view.scores))]))


def status(view: View) -> str:
    """Who has to decide what, or who has won."""
    if view.ended is not None:
        winners = tuple(map(Who, view.winners))
        return said(view, sentence("over", winners=winners, count=len(winners)))
    if not view.awaiting or view.step is None:
        return said(view, sentence("nobody"))
    return said(view, told(view.step, view, SAYINGS, "ask_"))


def last_turn(view: View) -> str:
    """What was touched last."""
    if view.last is None:
        return "Nothing has been built yet."
    touched = (*view.last.cells, *view.last.regions)
    return f"Last turn: {seat_name(view, view.last.seat)}, {', '.join(touched)}."


def scoring_now(view: View) -> str:
    """The region that is being scored, if one is."""
    if view.tally is None:
        return ""
    waiting = ", ".join(
        f"{CARD_NAMES[card.number]} of seat {card.seat}" for card in view.tally.waiting
    )
    change = f", value {view.tally.change:+}" if view.tally.change else ""
    return f"{view.tally.region} is being scored{change}; cards: {waiting}."


def is_scored_now(view: View, region: ChinaView) -> bool:
    """Whether the scoring of this region waits for cards: CC-7.1."""
    return view.tally is not None and view.tally.region == region.name


def threat(region: MongolView) -> str:
    """A threat as a viewer knows it."""
    if region.removed:
        return "none"
    return "?" if region.threat is None else f"-{region.threat}"


def value(view: View, region: ChinaView) -> int:
    """What a region is worth before cards: its cells without ruins, and its prestige."""
    ruins = sum(cell.kind == "ruin" for cell in view.cells if cell.china == region.name)
    return len(region.cells) - ruins + region.prestige


def events(view: View) -> str:
    """The event cards that lie open."""
    return ", ".join(EVENT_NAMES[card] for card in view.events) or "none"


def summary(view: View) -> str:
    """The position in a few sentences."""
    filled = sum(cell.kind is not None for cell in view.cells)
    parts = [
        f"Boards {', '.join(view.boards) or 'none'}; {filled} of {len(view.cells)} cells filled.",
        status(view),
        scoring_now(view),
        *(
            f"{seat_name(view, seat).capitalize()} has {count(points, 'point')}."
            for seat, points in enumerate(view.scores)
        ),
        last_turn(view),
    ]
    return " ".join(part for part in parts if part)
