"""GW-1.4, GW-2.2, GW-2.8: cards come out of their decks, and a used-up deck is filled again.

Each card is there once, too rarely drawn for a tally: so all cards of four groups are counted.
"""

from collections import Counter

from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import clerks, course, hordes, supply
from tests.games.chances import Chance, Drawn

DECKS = {
    "artifacts": decks.ARTIFACTS,
    "generals": decks.GENERALS,
    "advisors": decks.ADVISORS,
    "tactics": decks.TACTICS,
    "hordes": decks.HORDES,
}
GROUPS = 4
GROUP = {card: number % GROUPS for deck in DECKS.values() for number, card in enumerate(deck)}


def grouped(cards):
    return Counter(dict.fromkeys(range(GROUPS), 0) | Counter(GROUP[card] for card in cards))


def bags(setup, seats):
    return {name: grouped(getattr(setup, name)) for name in DECKS}


def drawn(event):
    for deck, cards in dealt(event).items():
        yield from (Drawn(deck, GROUP[card]) for card in cards)


def dealt(event):
    match event:
        case course.ArtifactsLaid(cards=cards):
            return {"artifacts": cards}
        case course.LeadersDealt(generals=generals, advisors=advisors):
            return {"generals": generals, "advisors": advisors}
        case clerks.AdvisorRevealed(advisor=card):
            return {"advisors": [card]}
        case supply.TacticDrawn(card=card):
            return {"tactics": [card]}
        case hordes.HordeDrawn(card=card):
            return {"hordes": [card]}
    return {}


def refilled(event):
    match event:
        case clerks.AdvisorsReshuffled(advisors=cards):
            return {"advisors": grouped(cards)}
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
