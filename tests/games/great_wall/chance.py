"""GW-1.4, GW-2.2, GW-2.8: cards come out of their decks, and an empty deck is refilled.

Single cards are too rare for a tally, so each test counts the cards of four groups.
"""

from collections import Counter

from domain.games.great_wall.cards import automata, decks
from domain.games.great_wall.events import clerks, course, hordes, solo, supply
from tests.games.chances import Chance, Draw

DECKS = {
    "artifacts": decks.ARTIFACTS,
    "generals": decks.GENERALS,
    "advisors": decks.ADVISORS,
    "tactics": decks.TACTICS,
    "hordes": decks.HORDES,
    "tokens": dict.fromkeys(automata.TOKENS),
    "solo": automata.SOLO,
}
GROUPS = 4
GROUP = {card: number % GROUPS for deck in DECKS.values() for number, card in enumerate(deck)}


def group_cards(cards):
    return Counter(dict.fromkeys(range(GROUPS), 0) | Counter(GROUP[card] for card in cards))


def bags(setup, seats):
    of_qin = {"tokens": automata.TOKENS, "solo": automata.SOLO} if setup.table.qin else {}
    printed = {name: getattr(setup, name) for name in DECKS if hasattr(setup, name)}
    return {name: group_cards(cards) for name, cards in {**printed, **of_qin}.items()}


def draws_of(event):
    for deck, cards in cards_dealt(event).items():
        yield from (Draw(deck, GROUP[card]) for card in cards)


DEALT = {
    course.ArtifactsLaid: lambda event: {"artifacts": event.cards},
    course.LeadersDealt: lambda event: {"generals": event.generals, "advisors": event.advisors},
    solo.LocationTrackLaid: lambda event: {"tokens": event.tokens},
    solo.SupportersLaid: lambda event: {"advisors": event.advisors},
    solo.SoloCommandDrawn: lambda event: {"solo": [event.card]},
    clerks.AdvisorRevealed: lambda event: {"advisors": [event.advisor]},
    supply.TacticDrawn: lambda event: {"tactics": [event.card]},
    hordes.HordeDrawn: lambda event: {"hordes": [event.card]},
}


def cards_dealt(event):
    return DEALT[type(event)](event) if type(event) in DEALT else {}


def cards_reshuffled(event):
    match event:
        case clerks.AdvisorsReshuffled(advisors=cards):
            return {"advisors": group_cards(cards)}
        case solo.SoloCommandsReshuffled(cards=cards):
            return {"solo": group_cards(cards)}
        case supply.TacticsReshuffled(cards=cards):
            return {"tactics": group_cards(cards)}
        case hordes.HordesReshuffled(cards=cards):
            return {"hordes": group_cards(cards)}
    return {}


def cards_left_in(state):
    return {
        "generals": group_cards(state.general_deck),
        "advisors": group_cards(state.advisor_deck),
        "tactics": group_cards(state.tactic_deck),
        "hordes": group_cards(state.horde_deck),
    }


CHANCE = Chance(bags, draws_of, cards_left_in, refilled=cards_reshuffled)
