"""Addresses of effects: every list of operations on a card has one.

An address is the deck, the card and its part, such as `tactics/volley/boosted`, or the number of an
ability. A list inside another one adds the number of its operation and its member:
`advisors/spy/0/0.else`, `commands/betrayal/first/0.options.1`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.games.great_wall.cards import automata, decks, ops, solo_ops
from domain.games.great_wall.cards.automata import SoloCommand
from domain.games.great_wall.cards.kinds import Advisor, Command, Event, General, Tactic
from domain.games.great_wall.cards.ops import Operation

Script = str
"""The address of a list of operations."""
Block = tuple[Operation, ...]
ScriptedCard = General | Advisor | Tactic | Command | Event | SoloCommand


def _inner_blocks(op: Operation) -> Iterator[tuple[str, Block]]:
    """The lists of operations inside one: GW-18.6, GW-18.9."""
    match op:
        case ops.If(do=do, otherwise=otherwise):
            yield from (("do", do), ("else", otherwise))
        case ops.Choose(options=options):
            yield from ((f"options.{number}", option) for number, option in enumerate(options))
        case ops.May(do=do) | ops.EachPlayer(do=do) | ops.ChoosePlayers(do=do):
            yield "do", do
        case solo_ops.QinCopy(otherwise=otherwise):
            yield "else", otherwise
        case _:
            pass


def _blocks_within(address: Script, block: Block) -> Iterator[tuple[Script, Block]]:
    """A list of operations and those inside it, each with its address."""
    yield address, block
    for number, op in enumerate(block):
        for name, inner in _inner_blocks(op):
            yield from _blocks_within(f"{address}/{number}.{name}", inner)


def _parts(card: ScriptedCard) -> Iterator[tuple[str, Block]]:
    """The lists of operations of a card, each with the name of its part."""
    match card:
        case Tactic():
            yield from (("basic", card.basic), ("boosted", card.boosted))
        case Command() | SoloCommand():
            yield from (("first", card.first), ("others", card.others), ("last", card.last))
        case Event():
            yield "immediate", card.immediate
        case _:
            yield from ((str(number), ability.do) for number, ability in enumerate(card.triggered))


def _scripts(name: str, deck: Mapping[str, ScriptedCard]) -> Iterator[tuple[Script, Block]]:
    """All lists of operations of a deck, each with its address."""
    for card in deck.values():
        for part, block in _parts(card):
            yield from _blocks_within(f"{name}/{card.id}/{part}", block)


SCRIPTS: dict[Script, Block] = {
    **dict(_scripts("generals", decks.GENERALS)),
    **dict(_scripts("advisors", decks.ADVISORS)),
    **dict(_scripts("tactics", decks.TACTICS)),
    **dict(_scripts("commands", decks.COMMANDS)),
    **dict(_scripts("events", decks.EVENTS)),
    **dict(_scripts("solo", automata.SOLO)),
}
"""By address, all operations of the cards."""
