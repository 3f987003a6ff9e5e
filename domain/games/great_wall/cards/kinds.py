"""The kinds of cards: GW-9.1 to GW-9.3, GW-9.6, GW-9.9."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.cards.abilities import AnyModifier, TriggeredAbility, Window
from domain.games.great_wall.cards.amounts import Amount, Cost, Natural, Phrase
from domain.games.great_wall.cards.conditions import Condition
from domain.games.great_wall.cards.ops import Ops
from domain.games.great_wall.cards.requests import RequestNeed

Set = Literal["base", "5p", "coop", "extended", "coop_extended"]
"""The set that a card belongs to; `board.DECKS` lists the sets in play: GW-2.3, GW-2.4."""
Provenance = Literal["confirmed", "partial", "reconstructed"]
"""How much of a card is known: all, a part, or nothing."""


class BaseCard(Phrase, frozen=True, kw_only=True):
    """The common members of all cards."""

    name: str
    provenance: Provenance
    text: str  # what it does, in words
    known: str = ""  # which parts are known, and from where


class Card(BaseCard, frozen=True, kw_only=True):
    """A card with an id."""

    id: str


class Start(Phrase, frozen=True):
    """What a General starts with: GW-2.11, GW-2.12."""

    tea: Natural
    wood: Natural = 0
    stone: Natural = 0
    gold: Natural = 0
    chi: Natural = 0
    tactics: Natural = 0


class General(Card, frozen=True, kw_only=True):
    """A General: GW-9.1."""

    set: Set
    setup: Start
    triggered: tuple[TriggeredAbility, ...] = ()
    modifiers: tuple[AnyModifier, ...] = ()


class Advisor(Card, frozen=True, kw_only=True):
    """An advisor, Active or Supporting: GW-9.2."""

    set: Set
    triggered: tuple[TriggeredAbility, ...] = ()
    modifiers: tuple[AnyModifier, ...] = ()


class Tactic(Card, frozen=True, kw_only=True):
    """A tactic card: GW-9.3."""

    set: Set
    window: Window
    basic: Ops
    boost_cost: Cost
    boosted: Ops
    cond: Condition | None = None


class Command(Card, frozen=True, kw_only=True):
    """A command card: GW-7.3."""

    first: Ops
    others: Ops
    last: Ops


class Artifact(Card, frozen=True, kw_only=True):
    """An artifact: GW-9.9."""

    set: Set
    score: Amount


class Request(Card, frozen=True, kw_only=True):
    """A Request of the Emperor, in the cooperative game: GW-16.11."""

    set: Set
    removed_with_2_players: bool
    needs: tuple[RequestNeed, ...]


class Event(Card, frozen=True, kw_only=True):
    """An event at the end of a Winter in the cooperative game: GW-16.14."""

    set: Set
    immediate: Ops
    passive: tuple[AnyModifier, ...]
