"""What a picture and a text both tell: sentences about the game."""

from __future__ import annotations

from domain.engine.panel import count
from domain.games.chang_cheng.board import CARD_NAMES, EVENT_NAMES
from domain.games.chang_cheng.view import ChinaView, MongolView, View

ASKED = {
    "FirstTurn": "to build a first single",
    "Turn": "to begin an action",
    "SecondSingle": "to build a second single outside {0}",
    "AfterCard": "to lay a card outside {0}, or a single in it",
    "OfferNeutral": "may build a neutral single",
    "ForcedNeutral": "to build a neutral single",
    "ChooseOrder": "to choose what is scored first, {0} or {1}",
    "UseCard": "to use the {card} in {0}",
    "Extend": "to add a board",
}


def seat_name(view: View, seat: int) -> str:
    """A seat by its number and its colour."""
    return f"seat {seat} ({view.colours[seat]})"


def status(view: View) -> str:
    """Who has to decide what, or who has won."""
    if view.ended is not None:
        names = " and ".join(seat_name(view, seat) for seat in view.winners)
        return f"The wall is complete: {names} {'win' if len(view.winners) > 1 else 'wins'}."
    if not view.awaiting or view.step is None:
        return "Nobody has to decide."
    card = CARD_NAMES[view.tally.waiting[0].number] if view.tally and view.tally.waiting else ""
    asked = ASKED[view.step].format(*view.about, card=card)
    return f"{seat_name(view, view.awaiting[0]).capitalize()} {asked}."


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
