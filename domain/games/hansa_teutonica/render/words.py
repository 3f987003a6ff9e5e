"""What a picture and a text both tell: names, and sentences about the game."""

from __future__ import annotations

from typing import get_args

from domain.engine.telling import Part, Sentence, Who, begun, say, sentence, told
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    ALL,
    MARKERS,
    PRIVILEGES,
    VALUES,
    Bonus,
    City,
)
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.telling import SAYINGS, TEXTS, city_names, route_names
from domain.games.hansa_teutonica.view import View

ENGLISH = TEXTS["en"]
MARKER_NAMES: dict[str, str] = {kind: ENGLISH[f"marker_{kind}"] for kind in MARKERS}
SHORT_NAMES = {
    "extra_office": "Extra",
    "swap_offices": "Swap",
    "remove_three": "Take 3",
    "improve_ability": "Desk",
    "plus_3_actions": "+3",
    "plus_4_actions": "+4",
}
BONUS_NAMES: dict[str, str] = {kind: ENGLISH[f"bonus_{kind}"] for kind in get_args(Bonus)}
SHORT_BONUSES = {
    "move_any_2": "Move 2",
    "improve_privilege": "Privilege",
    "redeploy_2": "Redeploy 2",
    "office_in_green_city": "Green city",
    "place_2": "Place 2",
}


def seat_name(view: View, seat: int) -> str:
    """A seat by its number and its colour."""
    colour = Sentence(f"colour_{view.colours[seat]}")
    return say(sentence("seat", number=seat, colour=colour), ENGLISH, ())


def said(view: View, spoken: Sentence) -> str:
    """A sentence in English, seats by their numbers and colours."""
    return begun(say(spoken, ENGLISH, [seat_name(view, seat) for seat in range(len(view.players))]))


def value_name(ability: str, level: int) -> str:
    """The value of an ability at this level, as people say it."""
    value = VALUES[ABILITIES.index(ability)][level]
    if ability == "privilege":
        return PRIVILEGES[value]
    return "all" if value == ALL else str(value)


def status(view: View) -> str:
    """Whose turn it is and for what, or who has won."""
    if view.ended is not None:
        winners, reason = tuple(map(Who, view.winners)), Sentence(f"end_{view.ended}")
        over = sentence("over", reason=reason, winners=winners, count=len(winners))
        return said(view, over)
    if not view.awaiting or view.pending is None:
        return said(view, sentence("nobody"))
    return said(view, _task(view, view.pending))


def _task(view: View, step: steps.Turn | steps.Pending) -> Sentence:
    """What is to be decided; of a turn also how much is left of it."""
    if not isinstance(step, steps.Turn):
        return told(step, view, SAYINGS, "ask_")
    seats = tuple(map(Who, view.awaiting))
    if view.closed:
        return sentence("closed", seats=seats)
    return sentence("act", seats=seats, left=sentence("actions", count=view.actions))


def last_deed(view: View) -> str:
    """What was done last, if anything was."""
    last = view.last
    if last is None:
        return ""
    parts: dict[str, Part] = {
        "seat": Who(last.seat),
        "route": route_names(view).get(last.route or "", "a route"),
        "city": city_names(view).get(last.city or "", "a city"),
    }
    return said(view, Sentence(f"deed_{last.deed}", parts))


def summary(view: View) -> str:
    """The position in a few sentences."""
    parts = [f"{len(view.players)} players, turn {view.turn}.", status(view)]
    for seat, player in enumerate(view.players):
        offices = sum(
            sign[0] == str(seat)
            for city in view.cities.values()
            for sign in (*city.offices, *city.extra)
            if sign
        )
        parts.append(
            f"{seat_name(view, seat).capitalize()} has {player.prestige} prestige, {offices}"
            f" offices, and {view.scores[seat]} points if the game ended now."
        )
    parts.append(f"{view.complete} of {view.map.completed_city_limit} cities are complete.")
    return " ".join(part for part in (*parts, last_deed(view)) if part)


def ability_names(city: City) -> str:
    """What a city improves, if anything."""
    return " or ".join(name for name in (city.ability, city.second_ability) if name)
