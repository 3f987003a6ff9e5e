"""Sentences that picture and text share."""

from __future__ import annotations

from domain.engine.drawing.panel import name_with_colours, result_sentence
from domain.engine.play import Seat
from domain.engine.resources.texts import figures
from domain.engine.sentences import Part, SeatName, Sentence, Words, prompt, quoted, sentence
from domain.games.chang_cheng.places import place_name, place_names
from domain.games.chang_cheng.rules.regions import ahead
from domain.games.chang_cheng.sayings import SAYINGS
from domain.games.chang_cheng.view import ChinaView, MongolView, View


def status(view: View, words: Words) -> str:
    """Who has to decide what, or who has won."""
    return name_with_colours(view.colours, words).line(_status(view, words.reader(view)))


def _score(seat: int, points: int) -> Sentence:
    """The points of a seat."""
    return sentence("has_points", seat=SeatName(seat), points=sentence("points", count=points))


def _status(view: View, reader: Seat | None) -> Sentence:
    if view.ended is not None:
        return result_sentence(view)
    if not view.awaiting or view.step is None:
        return sentence("nobody")
    return prompt(view.step, view, SAYINGS, reader)


def last_turn(view: View, words: Words) -> str:
    """What the last turn touched."""
    if view.last is None:
        return words("no_last")
    touched = place_names(*view.last.cells, *view.last.regions)
    return name_with_colours(view.colours, words)(
        "last", seat=SeatName(view.last.seat), touched=touched
    )


def scoring_now(view: View, words: Words) -> str:
    """The region that is scoring, or an empty text."""
    if view.tally is None:
        return ""
    cards = [
        words("card_of", card=quoted("card")(None, card.number), seat=SeatName(card.seat))
        for card in view.tally.waiting
    ]
    key = "tally_changed" if view.tally.change else "tally"
    change, listed = figures(view.tally.change, "+"), words("list_more").join(cards)
    return words(key, region=place_name(view.tally.region), change=change, cards=listed)


def is_scored_now(view: View, region: ChinaView) -> bool:
    """Whether the scoring of this region waits for cards: CC-7.1."""
    return view.tally is not None and view.tally.region == region.name


def threat(region: MongolView) -> str:
    """A threat as a viewer knows it, of a tile that is there."""
    return "?" if region.threat is None else figures(-region.threat)


def value(view: View, region: ChinaView) -> int:
    """What a region is worth before cards: its cells without ruins, and its prestige."""
    ruins = sum(cell.kind == "ruin" for cell in view.wall if cell.china == region.name)
    return len(region.cells) - ruins + region.prestige


def points_now(view: View, region: ChinaView) -> int:
    """What a region would bring now, with what cards have changed: CC-6.4."""
    change = view.tally.change if view.tally and is_scored_now(view, region) else 0
    return max(0, value(view, region) + change)


def leading(view: View, region: ChinaView) -> list[Seat | None]:
    """The seats that would score a region now; None if the neutral player has the most walls:
    CC-6.5, CC-11.5.
    """
    standing = [
        cell.seat
        for cell in view.wall
        if cell.china == region.name and cell.kind not in (None, "ruin")
    ]
    walls = [standing.count(seat) for seat in range(len(view.scores))]
    if view.tally and is_scored_now(view, region):
        walls = [wall + extra for wall, extra in zip(walls, view.tally.extra, strict=True)]
    neutral = standing.count(None)
    seats = ahead(walls, neutral)
    return list(seats) if seats or not neutral else [None]


def events(view: View) -> Part:
    """The event cards that lie open."""
    cards = tuple(sentence(f"event_{card}") for card in view.events)
    return cards or sentence("no_events")


def event_effects(view: View, words: Words) -> str:
    """What the open event cards do."""
    named = ((card, sentence(f"event_{card}")) for card in view.events)
    return " \u00b7 ".join(words(f"effect_{card}", event=name) for card, name in named)


def effect(words: Words, number: int) -> str:
    """What a card does."""
    return words.line(sentence(f"effect_{number}"))


def summary(view: View, words: Words) -> str:
    """The position in a few sentences."""
    filled = sum(cell.kind is not None for cell in view.wall)
    boards = words("list_more").join(words(f"board_{name}") for name in view.boards)
    named = name_with_colours(view.colours, words)
    parts = [
        words("summary", boards=boards, filled=filled, cells=len(view.wall)),
        status(view, words),
        scoring_now(view, words),
        *(named.line(_score(seat, points)) for seat, points in enumerate(view.scores)),
        last_turn(view, words),
    ]
    return words("pause").join(part for part in parts if part)
