"""GW-1.4, GW-2.2, GW-2.8: cards come out of their decks, and a used-up deck is filled again.

Each card is there once, too rarely drawn for a tally: so all cards of four groups are counted.
"""

from collections import Counter

from domain.games.great_wall.cards import automata, decks
from domain.games.great_wall.events import clerks, course, hordes, solo, supply
from tests.games.chances import Chance, Drawn

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


def grouped(cards):
    return Counter(dict.fromkeys(range(GROUPS), 0) | Counter(GROUP[card] for card in cards))


def bags(setup, seats):
    of_qin = {"tokens": automata.TOKENS, "solo": automata.SOLO} if setup.table.qin else {}
    printed = {name: getattr(setup, name) for name in DECKS if hasattr(setup, name)}
    return {name: grouped(cards) for name, cards in {**printed, **of_qin}.items()}


def drawn(event):
    for deck, cards in dealt(event).items():
        yield from (Drawn(deck, GROUP[card]) for card in cards)


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


def dealt(event):
    return DEALT[type(event)](event) if type(event) in DEALT else {}


def refilled(event):
    match event:
        case clerks.AdvisorsReshuffled(advisors=cards):
            return {"advisors": grouped(cards)}
        case solo.SoloCommandsReshuffled(cards=cards):
            return {"solo": grouped(cards)}
        case supply.TacticsReshuffled(cards=cards):
            return {"tactics": grouped(cards)}
        case hordes.HordesReshuffled(cards=cards):
            return {"hordes": grouped(cards)}
    return {}


def left(state):
    return {
        "generals": grouped(state.general_deck),
        "advisors": grouped(state.advisor_deck),
        "tactics": grouped(state.tactic_deck),
        "hordes": grouped(state.horde_deck),
    }


CHANCE = Chance(bags, drawn, left, refilled=refilled)
