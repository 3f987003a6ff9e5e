"""Sentences that pictures and texts share, in the words of a language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.engine.drawing.panel import result_sentence, seat_note
from domain.engine.play import Seat
from domain.engine.sentences import Part, Sentence, Words, capitalize, prompt, sentence
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import PLACE_OF
from domain.games.great_wall.rules import reed
from domain.games.great_wall.rules.costs import Costs
from domain.games.great_wall.sayings import SAYINGS, bill
from domain.games.great_wall.state.agenda.requests import AgreeOrder
from domain.games.great_wall.state.table import LaidCommand
from domain.games.great_wall.view import ClanView, HordeView, QinView, SectionView, View

LETTERS = {"reed": "R", "qin": "Q"}
"""By colour, the letter on the pieces of clans without a seat."""
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
    return " ".join(parts)


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
    return words.with_names(names).line(_status(view))


def _status(view: View) -> Sentence:
    if view.ended is not None:
        return result_sentence(view)
    if not view.awaiting or view.step is None:
        return sentence("nobody")
    step = msgspec.structs.replace(view.step, seats=tuple(sorted(view.awaiting)))
    return prompt(step, view, SAYINGS, view.seat)


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


def sign(view: View, clan: int) -> str:
    """What is written on the pieces of a clan: the number of its seat, or its letter."""
    return LETTERS.get(view.clans[clan].colour, str(clan))


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


def own_costs(view: View) -> Costs | None:
    """What things cost the viewer now; None for spectators and after the end."""
    if view.seat is None or view.ended is not None:
        return None
    return view.clans[view.seat].costs


def facts(table: Table, clan: int) -> Iterator[str]:
    """What a clan owns besides honor: leaders, resources, pieces and cards."""
    view, words = table
    owned = view.clans[clan]
    if clan == view.reed:
        yield words("has_soldiers", soldiers=troops(words, owned.pool))
        return
    if view.qin is not None and clan == view.qin.clan:
        yield from _qin(table, view.qin)
        return
    yield from _leaders(words, owned)
    yield from _pieces(words, owned)
    yield from _cards(words, owned)
    yield from _choices(words, owned)
    yield from _answer(table, clan)
    if owned.costs is not None and view.ended is None:
        yield from _costs(words, owned.costs)


def own_facts(table: Table, clan: int) -> Iterator[str]:
    """What the viewer has besides supply and hand, the most important first."""
    view, words = table
    owned = view.clans[clan]
    yield from _choices(words, owned)
    yield from _answer(table, clan)
    yield from _name_leaders(words, owned)
    yield from _defeats(words, owned)


def seat_facts(table: Table, clan: int) -> Iterator[str]:
    """What others may know of a clan besides its supply."""
    view, words = table
    owned = view.clans[clan]
    if clan == view.reed:
        return
    if view.qin is not None and clan == view.qin.clan:
        yield from _qin_cards(words, owned, view.qin)
        return
    yield from _choices(words, owned)
    yield from _answer(table, clan)
    yield from _name_leaders(words, owned)
    yield from _commands(words, owned)
    yield from _defeats(words, owned)


def _name_leaders(words: Words, owned: ClanView) -> Iterator[str]:
    """The names of the General and of the advisors."""
    if owned.general:
        active = (words(f"advisor_{one}") for one in owned.active)
        yield words(
            "has_leaders", cards=join_words(words, [words(f"general_{owned.general}"), *active])
        )
    if owned.supporting:
        yield words("has_supporting", cards=cards(words, "advisor", owned.supporting))


def supply(words: Words, owned: ClanView) -> str:
    """The soldiers in the supply of a clan, and those under Shame tokens."""
    shamed = any(owned.shamed.values())
    return words(
        "has_soldiers_shamed" if shamed else "has_soldiers",
        soldiers=troops(words, owned.pool),
        **({"shamed": troops(words, owned.shamed)} if shamed else {}),
    )


def clerks(table: Table, clan: int) -> str:
    """The clerks of a clan that it can move, and those that it can hire."""
    view, words = table
    owned = view.clans[clan]
    if view.qin is not None and clan == view.qin.clan:
        return words("has_clerks_in_pool", pool=owned.clerks_pool)
    return words("has_clerks", pool=owned.clerks_pool, space=owned.clerks_space)


def _qin(table: Table, qin: QinView) -> Iterator[str]:
    """What Qin Jiushao owns: GW-14.2, GW-14.3, GW-14.5."""
    words, owned = table.words, table.view.clans[qin.clan]
    first, supporting, *others = _qin_cards(words, owned, qin)
    yield from (first, supporting)
    yield words("has_soldiers", soldiers=troops(words, owned.pool))
    yield clerks(table, qin.clan)
    yield from _overseers(words, owned)
    yield from others


def _qin_cards(words: Words, owned: ClanView, qin: QinView) -> Iterator[str]:
    """What counts for Qin Jiushao, and his cards: GW-14.3, GW-14.5."""
    yield words("qin_jiushao_text")
    yield words("has_supporting_down", count=len(owned.supporting))
    yield words("has_commands_down", count=qin.deck)
    if owned.discard:
        yield words("has_discard", cards=cards(words, "command", owned.discard))
    if owned.claimed:
        yield words("has_claimed", cards=join_words(words, _describe_claims(words, owned)))


def _leaders(words: Words, owned: ClanView) -> Iterator[str]:
    if owned.general:
        text = Sentence(f"general_{owned.general}_text")
        yield words("has_general", card=Sentence(f"general_{owned.general}"), text=text)
    else:
        yield words("has_no_general")
    for advisor in owned.active:
        text = Sentence(f"advisor_{advisor}_text")
        yield words("card_line", card=Sentence(f"advisor_{advisor}"), text=text)
    if owned.supporting:
        yield words("has_supporting", cards=cards(words, "advisor", owned.supporting))


def _pieces(words: Words, owned: ClanView) -> Iterator[str]:
    if owned.resources is None:
        yield words("has_resources_hidden")
    else:
        yield words("has_resources", resources=amounts(words, owned.resources))
    yield supply(words, owned)
    yield words("has_clerks", pool=owned.clerks_pool, space=owned.clerks_space)
    yield from _overseers(words, owned)


def _costs(words: Words, costs: Costs) -> Iterator[str]:
    """What a clan pays now: for people in one line, for building in another."""
    people = {f"soldier_{one}": bill(None, cost) for one, cost in costs.recruits.items()}
    for name in ("clerk", "advisor", "life", "shame"):
        people[f"cost_{name}"] = bill(None, getattr(costs, name))
    built: dict[str, Part] = {f"section_{one}": cost for one, cost in costs.walls.items()}
    built["cost_barricade"] = costs.barricade
    overseers = {f"location_{one}": bill(None, cost) for one, cost in costs.overseers.items()}
    for key, things in (("costs", people), ("costs_walls", built), ("costs_overseers", overseers)):
        named = (words("cost", what=Sentence(name), cost=cost) for name, cost in things.items())
        yield words(key, costs=join_words(words, named))


def _overseers(words: Words, owned: ClanView) -> Iterator[str]:
    if owned.overseers:
        levels = (
            words("overseer_at", location=Sentence(f"location_{at}"), level=one.level)
            for at, one in owned.overseers.items()
        )
        yield words("has_overseers", levels=join_words(words, levels))


def _cards(words: Words, owned: ClanView) -> Iterator[str]:
    yield from _commands(words, owned)
    if owned.tactics is None:
        yield words("has_tactics_hidden", held=owned.tactics_held)
    else:
        yield words("has_tactics", cards=cards(words, "tactic", owned.tactics))
    yield from _defeats(words, owned)


def _commands(words: Words, owned: ClanView) -> Iterator[str]:
    yield words("has_commands", cards=cards(words, "command", owned.commands))
    if owned.discard:
        yield words("has_discard", cards=cards(words, "command", owned.discard))


def _defeats(words: Words, owned: ClanView) -> Iterator[str]:
    """The Horde cards that a clan claimed and, in the cooperative game, defeated: GW-16.9."""
    if owned.claimed:
        yield words("has_claimed", cards=join_words(words, _describe_claims(words, owned)))
    if owned.defeated:
        yield words("has_defeated", cards=cards(words, "horde", owned.defeated))


def _describe_claims(words: Words, owned: ClanView) -> Iterator[str]:
    """Claimed Horde cards with their honor, or with the Shame that cancels it."""
    for claim in owned.claimed:
        name = Sentence(f"horde_{claim.card}")
        if claim.shame:
            yield words("claimed_shame", card=name, shame=claim.shame)
        else:
            yield words("claimed_honor", card=name, honor=decks.HORDES[claim.card].honor)


def _answer(table: Table, seat: Seat) -> Iterator[str]:
    """What a seat answered to the proposed order: GW-16.3."""
    view, words = table
    if isinstance(view.step, AgreeOrder):
        if seat in view.step.agreed:
            yield words("agrees_with_order")
        if seat in view.step.declined:
            yield words("declines_order")


def _choices(words: Words, owned: ClanView) -> Iterator[str]:
    """What a clan can choose, has chosen, and which moments it lets pass."""
    if owned.dealt_generals:
        dealt = (
            cards(words, "general", owned.dealt_generals),
            cards(words, "advisor", owned.dealt_advisors),
        )
        yield words("has_to_choose", generals=dealt[0], advisors=dealt[1])
    if owned.chosen:
        yield words("has_chosen_card", card=Sentence(f"command_{owned.chosen}"))
    elif owned.ready:
        yield words("has_chosen")
    if owned.passing:
        moments = (words(f"passed_{until}") for until in owned.passing)
        yield words("lets_pass", moments=join_words(words, moments))
