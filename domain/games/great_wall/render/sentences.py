"""Sentences that pictures and texts share, in the words of a language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.engine.drawing.panel import result_sentence, seat_note
from domain.engine.play import Seat
from domain.engine.sentences import (
    Sentence,
    Words,
    capitalize,
    prompt,
    seat_number,
    sentence,
)
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import PLACE_OF
from domain.games.great_wall.prompts import SAYINGS
from domain.games.great_wall.rules import reed
from domain.games.great_wall.state.agenda.requests import AgreeOrder
from domain.games.great_wall.state.table import LaidCommand
from domain.games.great_wall.view import HordeView, SectionView, View

WITHOUT_SEAT = {"reed": "reed_clan", "qin": "qin_jiushao"}
"""By colour, the names of clans without a seat."""


class Table(NamedTuple):
    """A view of the table, and the words of a language."""

    view: View
    words: Words


def join_words(words: Words, things: Iterable[str], none: str = "nothing") -> str:
    """Several things in a row; the text `none` if there are none."""
    return words("list_more").join(things) or words(none)


def summary(table: Table) -> str:
    """The position in a few sentences."""
    view, words = table
    parts = [
        words(_summary(view), players=view.player_count),
        status(table),
        words("sentence", said=moment(table)),
        *(words("sentence", said=describe_section(words, one)) for one in view.sections),
        *(words("sentence", said=one) for one in stocks(table)),
        *(words("sentence", said=one) for one in aims(table)),
        *(words("sentence", said=describe_clan(table, clan)) for clan in range(len(view.clans))),
    ]
    return words("pause").join(parts)


def _summary(view: View) -> str:
    """How many players there are, and which clans without a seat."""
    if view.qin is not None:
        return "summary_solo"
    if view.mode == "coop":
        return "summary_together" if view.reed is None else "summary_together_with_reed"
    return "summary" if view.reed is None else "summary_with_reed"


def title(table: Table) -> str:
    """The name of the game, and of its mode unless it is standard: GW-1.1."""
    view, words = table
    return words("title" if view.mode == "standard" else f"title_{view.mode}")


def status(table: Table) -> str:
    """Who must decide what, or who won."""
    view, words = table
    names = [clan_name(table, clan) for clan in range(len(view.clans))]
    return words.with_names(names).line(_status(view, words.reader(view)))


def _status(view: View, reader: Seat | None) -> Sentence:
    if view.ended is not None:
        return result_sentence(view)
    if not view.awaiting or view.step is None:
        return sentence("nobody")
    step = msgspec.structs.replace(view.step, seats=tuple(sorted(view.awaiting)))
    return prompt(step, view, SAYINGS, reader)


def moment(table: Table) -> str:
    """The Year and the season, and whose turn it is."""
    view, words = table
    years = {"year": view.year, "years": view.slots[-1].year}
    if view.season is None:
        return words("moment", **years)
    season = Sentence(f"season_{view.season}")
    if view.active is None:
        return words("moment_season", **years, season=season)
    laid = next((one for one in view.track if one and one.clan == view.active), None)
    card = Sentence(f"command_{laid.card}" if laid else "no_card")
    clan = clan_name(table, view.active)
    return words("moment_turn", **years, season=season, clan=clan, card=card)


def stocks(table: Table) -> Iterator[str]:
    """The supplies beside the board, with their amounts."""
    view, words = table
    yield words("warehouse", resources=amounts(words, view.warehouse))
    if view.mode == "standard":
        yield words("shame_pool", left=view.shame)
    where = f"section_{view.indicator}" if view.indicator else "unknown_section"
    yield words("horde_deck", count=view.horde_deck, section=Sentence(where))


def aims(table: Table) -> Iterator[str]:
    """What decides a solo and a cooperative game: GW-14.3, GW-14.14, GW-16.2, GW-16.14."""
    view, words = table
    if view.qin is not None:
        places = join_words(words, map(words, location_track(view)))
        yield words("location_track_told", locations=places)
    if view.mode == "coop":
        yield words("requests_fulfilled", count=len(view.fulfilled), all=view.requests_to_win)
        yield words("requests_open", cards=cards(words, "request", view.requests))
        yield words("events_in_force", cards=cards(words, "event", in_force(view)))
    if view.mode != "standard":
        yield words("shame_pool_of", left=view.shame, all=view.shame_pool)


def location_track(view: View) -> Iterator[str]:
    """The keys of the names of Qin's Locations, the highest first: GW-14.3."""
    assert view.qin is not None
    return (f"location_{PLACE_OF[token]}" for token in view.qin.tokens)


def in_force(view: View) -> tuple[str, ...]:
    """The events with an effect until the end: GW-16.14."""
    return tuple(one for one in view.events if decks.EVENTS[one].passive)


def find_proposed_order(view: View) -> list[LaidCommand]:
    """The command cards in the proposed order, from the left; empty without a proposal: GW-16.3."""
    if not isinstance(view.step, AgreeOrder):
        return []
    shown = {laid.clan: laid for laid in view.shown}
    return [shown.get(clan, LaidCommand(clan, reed.CARD)) for clan in view.step.order]


def clan_name(table: Table, clan: int) -> str:
    """The name of the player of a clan, with its colour; or of the clan if it has no seat."""
    view, words = table
    key = without_seat(view, clan)
    return words(key) if key else _name_card(table, clan, words.person(clan))


def without_seat(view: View, clan: int) -> str | None:
    """The key of the name of the Reed Clan and of Qin Jiushao; None for clans of players."""
    return WITHOUT_SEAT.get(view.clans[clan].colour)


def sign(table: Table, clan: int) -> str:
    """What is written on the pieces of a clan: the number of its seat, or its letter."""
    key = without_seat(table.view, clan)
    return table.words(f"letter_{key}") if key else str(seat_number(clan))


def total(view: View, clan: int) -> int:
    """The honor of a clan including all that counts at the end: GW-13.9, GW-14.14."""
    if view.qin is not None and clan == view.qin.clan:
        return view.qin.score
    return view.scores[clan]


def honor(table: Table, clan: int, key: str) -> str:
    """The honor of a clan, with its total at the end where that counts: GW-13.9, GW-16.12."""
    view, words = table
    own = view.clans[clan].honor
    if view.mode == "coop":
        return words(f"{key}_together", honor=own)
    return words(key, honor=own, total=total(view, clan))


def heading(table: Table, clan: int) -> str:
    """The heading of the card of a clan: its name and its current roles."""
    view, words = table
    key = without_seat(view, clan)
    name = capitalize(words(key)) if key else _name_card(table, clan, words.heading(clan))
    notes = seat_note(view, clan, view.active, words)
    return join_words(words, [name, notes] if notes else [name])


def _name_card(table: Table, clan: int, who: str) -> str:
    colour = Sentence(f"colour_{table.view.clans[clan].colour}")
    return table.words("clan", who=who, colour=colour)


def cards(words: Words, kind: str, names: Iterable[str | None]) -> str:
    """The names of cards of a kind; of face-down cards, that they are unknown."""
    return join_words(words, (card(words, kind, one) for one in names), "no_card")


def card(words: Words, kind: str, name: str | None) -> str:
    """The name of a card; of a face-down card, that it is unknown."""
    return words(f"{kind}_{name}" if name else "unknown_card")


def amounts(words: Words, resources: Mapping[Any, int]) -> str:
    """Resources with their amounts."""
    return join_words(
        words, (words(f"some_{one}", count=number) for one, number in resources.items())
    )


def troops(words: Words, counts: Mapping[board.Soldier, int]) -> str:
    """Soldiers by type, in words."""
    there = ((one, number) for one, number in counts.items() if number)
    return join_words(
        words, (words(f"troops_{one}", count=number) for one, number in there), "no_soldiers"
    )


def describe_section(words: Words, section: SectionView) -> str:
    """A Section with its Wall and the Horde cards before it."""
    hordes = (
        words("horde_told", card=Sentence(f"horde_{one.card}"), free=open_spots(one))
        for one in section.hordes
    )
    spoken = words(
        "section_told",
        section=Sentence(f"section_{section.section}"),
        level=section.level,
        barricades=sentence("barricades", count=section.barricades),
        defense=section.defense,
        power=section.power,
        hordes=join_words(words, hordes, "no_horde"),
    )
    return capitalize(spoken)


def open_spots(horde: HordeView) -> int:
    """How many Vital spots are free: GW-10.10."""
    return sum(not spot.wounded and spot.clan is None for spot in horde.spots)


def horde_figures(words: Words, horde: HordeView) -> str:
    """The numbers of a Horde card."""
    return words("horde_figures", power=horde.power, honor=horde.honor, lethality=horde.lethality)


def describe_clan(table: Table, clan: Seat) -> str:
    """A clan in one sentence."""
    view, words = table
    owned = view.clans[clan]
    soldiers = troops(words, owned.pool)
    if clan == view.reed:
        return capitalize(words("reed_told", clan=words("reed_clan"), soldiers=soldiers))
    if view.qin is not None and clan == view.qin.clan:
        return words("qin_told", total=view.qin.score, soldiers=soldiers)
    known = {} if owned.resources is None else {"resources": amounts(words, owned.resources)}
    return words(
        "clan_told_rich" if known else "clan_told",
        clan=_name_card(table, clan, words.heading(clan)),
        general=Sentence(f"general_{owned.general}" if owned.general else "no_general"),
        total=view.scores[clan],
        tactics=sentence("tactic_cards", count=owned.tactics_held),
        soldiers=soldiers,
        **known,
    )
