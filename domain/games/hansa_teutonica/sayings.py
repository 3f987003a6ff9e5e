"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from collections import Counter

from domain.engine.resources.texts import Texts
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
from domain.games.hansa_teutonica.board import MAPS, MAX_REMOVED, PIECES, PROVINCES, Post
from domain.games.hansa_teutonica.events.course import MarkerOnRoute
from domain.games.hansa_teutonica.events.pieces import (
    IncomeTaken,
    PieceDisplaced,
    PieceLifted,
    PiecePut,
    PieceRemoved,
)
from domain.games.hansa_teutonica.events.routes import RouteCleared
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.state.steps import Moving, Relocate, Removing, Turn
from domain.games.hansa_teutonica.state.table import owner_of, piece_of
from domain.games.hansa_teutonica.turn_choices import name_choices
from domain.games.hansa_teutonica.view import View


def _city(_view: View, city: str) -> Part:
    return name_parts.city(city)


def _route(_view: View, route: str) -> Part:
    return name_parts.route(route)


def _province(_view: View, province: str) -> Part:
    return name_parts.province(province)


def _laid(_view: View, marker: MarkerOnRoute) -> Part:
    kind = Sentence(f"marker_{marker.kind}")
    return sentence("laid", kind=kind, route=name_parts.route(marker.route))


def _post_route(_view: View, post: Post) -> Part:
    """The route of a post: a log says no more, the picture shows the post."""
    return name_parts.route(post[0])


def _some(**counts: int) -> Part:
    """Those of these pieces of which there are any: `2 traders and 1 merchant`."""
    return tuple(sentence(kind, count=count) for kind, count in counts.items() if count)


def _turn(view: View, step: Turn) -> Sentence:
    """What is left of a turn, and what the seat can do with it."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    if view.closed:
        return Sentence("ask_Turn_closed", asked.parts, asked.rules)
    choices = [choice for seat in step.seats for choice in name_choices(view, seat)]
    parts: dict[str, Part] = {
        "left": sentence("actions", count=view.actions),
        "choices": either(verbatim)(view, choices),
        "count": view.actions,
    }
    return Sentence(asked.key, {**asked.parts, **parts}, asked.rules)


def _moving(view: View, step: Moving) -> Sentence:
    """The pieces in the hand: the part `held` names all owners, and `yours` is for the seat that
    moves them.
    """
    asked = describe_fields(step, view, SAYINGS, "ask_")
    held = Counter(zip(step.held, step.lands or (None,) * len(step.held), strict=True))
    key = ("ask_Moving_more" if step.left else "ask_Moving") if held else asked.key
    yours = tuple(
        _in_country(_held(code, count, "own" if owner_of(code) in step.seats else "held"), land)
        for (code, land), count in held.items()
    )
    others = tuple(
        _in_country(_held(code, count, "held"), land) for (code, land), count in held.items()
    )
    return Sentence(key, {**asked.parts, "held": others, "yours": yours}, asked.rules)


def _relocate(view: View, step: Relocate) -> Sentence:
    """Which piece was displaced, and how many extra pieces may follow: `more` if there are any."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    more = sentence("more_extras", count=step.extras)
    return Sentence(asked.key, {**asked.parts, "more": more}, asked.rules)


def _remove(view: View, step: Removing) -> Sentence:
    """How many pieces a seat takes from posts: it may stop after the first one."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    key = asked.key if step.left == MAX_REMOVED else "ask_Removing_more"
    return Sentence(key, asked.parts, asked.rules)


def _held_piece(view: View, held: str) -> Sentence:
    """A piece in the hand: whose it is, what it is, and its country if that matters: HT-14.13."""
    seat, piece, *lands = held.split(":")
    is_own = int(seat) == view.seat
    owner = Sentence("held_own") if is_own else sentence("held_of", owner=SeatName(int(seat)))
    whole = sentence("touch_held", a=owner, b=word("piece")(view, piece))
    return _in_country(whole, *lands)


def _in_country(piece: Sentence, land: str | None = None) -> Sentence:
    """A piece with its country, if it has one."""
    if land is None:
        return piece
    return sentence("of_country", piece=piece, country=Sentence(f"country_{land}"))


def _held(code: int, count: int, key: str) -> Sentence:
    owner = SeatName(owner_of(code))
    return sentence(f"{key}_{PIECES[piece_of(code)]}", owner=owner, count=count)


def _income(view: View, event: IncomeTaken) -> Sentence:
    """Which pieces an income brought."""
    spoken = describe_fields(event, view, SAYINGS)
    pieces = _some(traders=event.traders, merchants=event.merchants)
    return Sentence(spoken.key, {**spoken.parts, "pieces": pieces}, spoken.rules)


def _payment(_view: View, counts: str) -> Sentence:
    """Which pieces are paid, from how many of each: `1:0`."""
    traders, merchants = map(int, counts.split(":"))
    return sentence("touch_pay", pieces=_some(traders=traders, merchants=merchants))


def _displaced(view: View, event: PieceDisplaced) -> Sentence:
    """Whose piece was displaced, and which pieces that cost beside the new one."""
    spoken = describe_fields(event, view, SAYINGS)
    paid = _some(traders=event.paid_traders, merchants=event.paid_merchants)
    return Sentence(spoken.key, {**spoken.parts, "paid": paid}, spoken.rules)


def _cleared(view: View, event: RouteCleared) -> Part:
    """Which pieces return to the stock; nothing if none do."""
    spoken = describe_fields(event, view, SAYINGS)
    pieces = _some(traders=event.traders, merchants=event.merchants)
    return Sentence(spoken.key, {**spoken.parts, "pieces": pieces}, spoken.rules) if pieces else ()


OWN_PIECE = {
    "PieceLifted": "PieceLifted_own",
    "PiecePut": "PiecePut_own",
    "PiecePut_same_route": "PiecePut_same_route_own",
    "PiecePut_without_lifted": "PiecePut_without_lifted_own",
    "PieceRemoved": "PieceRemoved_own",
}
"""By the key for a piece of any player, that for a piece of the seat that acts."""


def _of_owner(view: View, event: PieceLifted | PiecePut | PieceRemoved) -> Sentence:
    """What a seat does with a piece, its own or another player's. A piece that it has picked up is
    not moved yet: `PiecePut` says from where to where.
    """
    spoken = describe_fields(event, view, SAYINGS)
    key = spoken.key
    if isinstance(event, PiecePut) and event.lifted and event.lifted[0] == event.post[0]:
        key = "PiecePut_same_route"
    if event.owner == event.seat:
        key = OWN_PIECE[key]
    return Sentence(key, spoken.parts, spoken.rules, partial=isinstance(event, PieceLifted))


def _kinds(view: View, kinds: tuple[str, ...]) -> Part:
    """Markers with their number: `a marker: swap offices`."""
    return sentence("marker_kinds", count=len(kinds), kinds=each(word("marker"))(view, kinds))


def _pawn(view: View, how: str) -> Sentence:
    """A move of the pawn, with what it costs: a free one after an action loses those left."""
    is_last = how == "move" and view.acted and view.actions
    return Sentence("pawn_move_last" if is_last else f"pawn_{how}")


def _unused(view: View, _id: str) -> Sentence:
    """The actions that a seat loses if it ends its turn now."""
    return sentence("unused", count=0 if view.closed else view.actions)


def _done(view: View, _id: str) -> Sentence:
    """What a seat ends that is done."""
    return Sentence(f"done_{type(view.pending).__name__}")


def _number(_view: View, number: int | str) -> Part:
    """A number as people count: from 1."""
    return int(number) + 1


SAYINGS: Sayings = {
    "ability": word("ability"),
    "actions": with_count("actions"),
    "AbilityImproved.actions": with_count("more_actions"),
    "ActionSpent": silent,
    "bonus": word("bonus"),
    "city": _city,
    "country": word("country"),
    "coin": with_count("coin"),
    "displaced": word("piece"),
    **same_effects("effect_post", "effect_route", "effect_income"),
    **same_effects("effect_lift", "effect_prize"),
    "effect_ability": word("effect"),
    "effect_drawn": word("effect"),
    "effect_marker": word("effect"),
    "effect_stock": word("effect"),
    "effect_supply": word("effect"),
    "extras": with_count("extras"),
    "GameEnded.winners": who_wins,
    "IncomeTaken": _income,
    "kind": word("marker"),
    "kinds": _kinds,
    "MarkersReturned.kinds": each(word("marker")),
    "lifted": _post_route,
    "markers": each(_laid),
    "merchants": with_count("merchants"),
    "Moving": _moving,
    "Moving.held": silent,
    "Moving.lands": silent,
    "Moving.lifted": silent,
    "office": _number,
    "OfficesSwapped.left": _number,
    "owner": person,
    "piece": word("piece"),
    "PieceDisplaced": _displaced,
    "PieceLifted": _of_owner,
    "PiecePut": _of_owner,
    "PieceRemoved": _of_owner,
    "points": with_count("prestige"),
    "GameEnded.points": each(with_count("points")),
    "post": _post_route,
    "province": _province,
    "reason": word("end"),
    "Relocate": _relocate,
    "Removing": _remove,
    "route": _route,
    "RouteCleared": _cleared,
    "source": word("source"),
    "space": _number,
    "traders": with_count("traders"),
    "Turn": _turn,
    "unused": with_count("actions"),
    "touch_ability.a": word("ability"),
    "touch_city.a": _city,
    "touch_decline": _done,
    "touch_displaced.a": word("piece"),
    "touch_drawn.a": word("marker"),
    "touch_end.a": _unused,
    "touch_establish.a": _route,
    "touch_from.a": _city,
    "touch_held": _held_piece,
    "touch_marker.a": word("marker"),
    "touch_office.a": _city,
    "touch_office.b": _number,
    "touch_offices.a": _city,
    "touch_open.a": word("open"),
    "touch_pawn.a": _pawn,
    "touch_pay": _payment,
    "touch_post.a": _route,
    "touch_post.b": _number,
    "touch_posts.a": _route,
    "touch_prize.a": _number,
    "touch_province.a": _province,
    "touch_route.a": _route,
    "touch_stock.a": word("piece"),
    "touch_supply.a": word("piece"),
}


def _names_in_the_box() -> Texts:
    """The printed names, also of places that a language does not name.

    A city is called as the language does, and is found on the map by its printed name.
    """
    cities = {city.id: city.name for chart in MAPS.values() for city in chart.cities}
    names = {f"city_{city}": name for city, name in cities.items()}
    names |= {f"printed_{city}": name for city, name in cities.items()}
    names |= {f"side_{chart.id}": chart.label for chart in MAPS.values()}
    names |= {f"province_{province.id}": province.name for province in PROVINCES}
    return names


NAMES = _names_in_the_box()
