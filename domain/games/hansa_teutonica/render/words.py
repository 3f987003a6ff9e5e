"""What a picture and a text both tell: names, and sentences about the game."""

from __future__ import annotations

from domain.engine.panel import count
from domain.games.hansa_teutonica.board import ABILITIES, ALL, PRIVILEGES, VALUES, City
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.position import signs
from domain.games.hansa_teutonica.view import View

ENDINGS = {
    "prestige": "20 points of prestige",
    "cities": "enough cities are complete",
    "markers": "the markers have run out",
    "pieces": "too few pieces are left to establish a route",
}
MARKER_NAMES = {
    "extra_office": "extra office",
    "swap_offices": "swap offices",
    "remove_three": "remove three",
    "improve_ability": "improve ability",
    "plus_3_actions": "plus 3 actions",
    "plus_4_actions": "plus 4 actions",
}
SHORT_NAMES = {
    "extra_office": "Extra",
    "swap_offices": "Swap",
    "remove_three": "Take 3",
    "improve_ability": "Desk",
    "plus_3_actions": "+3",
    "plus_4_actions": "+4",
}
BONUS_NAMES = {
    "move_any_2": "move any two pieces",
    "improve_privilege": "improve the privilege",
    "redeploy_2": "redeploy two pieces of the route",
    "office_in_green_city": "open an office in a green city",
    "place_2": "place two pieces in Wales or Scotland",
}
SHORT_BONUSES = {
    "move_any_2": "Move 2",
    "improve_privilege": "Privilege",
    "redeploy_2": "Redeploy 2",
    "office_in_green_city": "Green city",
    "place_2": "Place 2",
}
DEEDS = {
    "income": "took an income",
    "place": "placed a piece on {route}",
    "displace": "displaced a piece on {route}",
    "relocate": "relocated pieces displaced from {route}",
    "move": "moved pieces",
    "establish": "established {route}",
    "office": "established {route} and opened an office in {city}",
    "extra_office": "established {route} and opened an extra office in {city}",
    "ability": "improved an ability",
    "special": "established {route} for special prestige",
    "marker": "used a marker",
    "swap": "swapped two offices in {city}",
    "remove": "took pieces from posts",
    "pawn": "moved the pawn",
    "refill": "laid a marker on {route}",
    "deploy": "brought pieces to posts by a permanent bonus",
    "green_office": "opened an office in {city} by a permanent bonus",
}


def seat_name(view: View, seat: int) -> str:
    """A seat by its number and its colour."""
    return f"seat {seat} ({view.colours[seat]})"


def city_names(view: View) -> dict[str, str]:
    """The names of the cities."""
    return {city.id: city.name for city in view.map.cities}


def route_names(view: View) -> dict[str, str]:
    """Routes by the names of their cities."""
    names = city_names(view)
    return {route.id: "-".join(names[city] for city in route.cities) for route in view.map.routes}


def value_name(ability: str, level: int) -> str:
    """The value of an ability at this level, as people say it."""
    value = VALUES[ABILITIES.index(ability)][level]
    if ability == "privilege":
        return PRIVILEGES[value]
    return "all" if value == ALL else str(value)


def status(view: View) -> str:
    """Whose turn it is and for what, or who has won."""
    if view.ended is not None:
        winners = " and ".join(seat_name(view, seat) for seat in view.winners)
        verb = "wins" if len(view.winners) == 1 else "win together"
        return f"The game is over, {ENDINGS[view.ended]}: {winners} {verb}."
    if not view.awaiting:
        return "Nobody has to decide."
    return f"{seat_name(view, view.awaiting[0]).capitalize()} {_task(view)}."


def last_deed(view: View) -> str:
    """What was done last, if anything was."""
    last = view.last
    if last is None:
        return ""
    words = DEEDS[last.deed].format(
        route=route_names(view).get(last.route or "", "a route"),
        city=city_names(view).get(last.city or "", "a city"),
    )
    return f"{seat_name(view, last.seat).capitalize()} {words}."


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


def _bonus_task(step: steps.Deploying | steps.GreenOffice) -> str:
    """What a permanent bonus leaves to decide."""
    if isinstance(step, steps.GreenOffice):
        return f"may {BONUS_NAMES['office_in_green_city']}"
    return f"may {BONUS_NAMES[step.bonus]}, {step.left} at most"


def ability_names(city: City) -> str:
    """What a city improves, if anything."""
    return " or ".join(name for name in (city.ability, city.second_ability) if name)


def _task(view: View) -> str:
    """What is to be decided."""
    match view.pending:
        case steps.Relocate() as step:
            return f"to place {_displaced(step)} (from {route_names(view)[step.route]})"
        case steps.Moving() as step:
            whose = "anybody's " if step.bonus else ""
            return f"to move {whose}pieces, {_held(step)} in the hand"
        case steps.Deploying() | steps.GreenOffice() as step:
            return _bonus_task(step)
        case steps.Removing() as step:
            return f"to take pieces from posts, {step.left} at most"
        case steps.PlaceMarkers() as step:
            return f"to lay out markers: {', '.join(MARKER_NAMES[kind] for kind in step.kinds)}"
        case _:
            return _free_task(view)


def _held(step: steps.Moving) -> str:
    """The pieces that were lifted and stand nowhere yet."""
    held = (
        f"a {'trader' if sign[1] == 't' else 'merchant'} of seat {sign[0]}"
        for sign in signs(step.held)
        if sign
    )
    return " and ".join(held) or "none"


def _displaced(step: steps.Relocate) -> str:
    """What the owner of a displaced piece has to decide."""
    extra = f"{count(step.extras, 'extra piece')} at most"
    if step.placed:
        return extra
    return f"the displaced {step.piece}" + (f" and {extra}" if step.extras else "")


def _free_task(view: View) -> str:
    """What is to be decided when nothing is half done."""
    if isinstance(view.pending, steps.PlacePawn):
        return "to put the pawn into a province"
    if view.closed:
        return "to end the turn, since the pawn has moved after an action"
    return f"to act, {count(view.actions, 'action')} left"
