"""Checks that a grammar cannot make: words without a meaning where they are: GW-18.7, GW-18.13."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.amounts import Count, Phrase
from domain.games.great_wall.cards.kinds import Advisor, Command, General, Tactic

EVENT_COUNTERS: dict[str, tuple[str, ...]] = {
    "killed_now": ("soldier_killed",),
    "about_to_die_now": ("would_be_killed", "your_soldier_killed"),
    "shame_gained_now": ("shame_gained",),
    "saved_now": ("soldier_saved",),
    "recruited_now": ("recruit", "you_recruit"),
    "last_wounds_now": ("last_wound", "you_deal_last_wound"),
    "wall_level_now": ("build_wall",),
}
"""By counter of an event, the triggers and windows that know the event: GW-18.7."""
COPYING = "betrayal"
"""The card that copies another one: GW-9.6."""


class Senseless(ValueError):
    """A phrase that is well formed but has no meaning where it is."""


def check_card(card: Phrase) -> None:
    """Raise Senseless for a phrase that has no meaning on this card: GW-9.6, GW-18.7, GW-18.13."""
    for moment, part in _parts(card):
        for phrase in _phrases(part):
            _check_phrase(phrase, moment)
            _check_lists(phrase)
    if getattr(card, "id", "") != COPYING and any(
        isinstance(phrase, ops.CopyCommand) for phrase in _phrases(card)
    ):
        raise Senseless(f"only `{COPYING}` can copy a command card")


def find_counted_names(card: Phrase) -> set[str]:
    """The names of command cards that a card counts on the track: GW-18.7."""
    counts = (phrase for phrase in _phrases(card) if isinstance(phrase, Count))
    return {count.name for count in counts if count.name is not None}


def _parts(card: Phrase) -> Iterator[tuple[str, object]]:
    """The parts of a card, each with its trigger or window; "" if it has none."""
    match card:
        case General() | Advisor():
            yield from ((ability.trigger, ability.do) for ability in card.triggered)
            yield "", card.modifiers
        case Tactic():
            yield card.window, (card.cond, card.basic, card.boosted)
        case Command():
            yield "", (card.first, card.others, card.last)
        case _:
            yield "", card


def _phrases(part: object) -> Iterator[Phrase]:
    """All records inside this part, outermost first."""
    if isinstance(part, tuple):
        for one in part:
            yield from _phrases(one)
    elif isinstance(part, Phrase):
        yield part
        yield from _phrases(msgspec.structs.astuple(part))


def _check_lists(phrase: Phrase) -> None:
    """Refuse a list that names a type of soldiers or resources twice."""
    for words in msgspec.structs.astuple(phrase):
        if isinstance(words, tuple) and all(isinstance(word, str) for word in words):
            for word in set(words):
                if words.count(word) > 1:
                    raise Senseless(f"`{word}` is named twice")


def _check_phrase(phrase: Phrase, moment: str) -> None:
    """Refuse a phrase about an event that does not belong to this moment: GW-18.7, GW-18.13."""
    match phrase:
        case Count(count=count, times=times):
            for counter in (count, times):
                if moment not in EVENT_COUNTERS.get(counter or "", (moment,)):
                    raise Senseless(f"`{counter}` counts nothing at `{moment}`")
        case ops.Save() if moment not in EVENT_COUNTERS["about_to_die_now"]:
            raise Senseless(f"`save` saves no soldier at `{moment}`")
        case ops.Attack(not_recruited_now=True) if moment not in EVENT_COUNTERS["recruited_now"]:
            raise Senseless(f"`not_recruited_now` excludes no soldier at `{moment}`")
        case _:
            pass
