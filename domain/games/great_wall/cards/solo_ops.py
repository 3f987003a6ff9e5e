"""Operations of the solo game: what Qin Jiushao does by his rules: GW-18.9."""

from __future__ import annotations

from typing import Literal

from domain.games.great_wall.board import Soldier
from domain.games.great_wall.cards.amounts import Amount, Positive
from domain.games.great_wall.cards.ops import Operation


class QinMove(Operation, frozen=True):
    """Qin moves n of his clerks: GW-14.6."""

    n: Positive


class QinActivate(Operation, frozen=True):
    """Qin performs n Advanced Activations, each time at the lowest Location with his clerks."""

    n: Positive


class QinRecruit(Operation, frozen=True):
    """Qin recruits n soldiers of a type without cost. They attack: GW-14.8."""

    type: Soldier
    n: Positive


class QinShoot(Operation, frozen=True):
    """Every Archer of Qin in a Firing spot wounds once: GW-14.8."""


class QinUpgrade(Operation, frozen=True):
    """Qin upgrades n Overseers without cost, the lowest on his track first: GW-18.9."""

    n: Positive


class QinBuildWall(Operation, frozen=True):
    """Qin builds one Wall part: GW-14.10."""


class QinBarricade(Operation, frozen=True):
    """Qin builds n Barricades without cost: GW-18.9."""

    n: Positive


class QinGain(Operation, frozen=True):
    """Qin gains honor: GW-18.9."""

    honor: Amount


class QinCopy(Operation, frozen=True, rename={"otherwise": "else"}):
    """Qin does his own part of his card with the name of the human's card: GW-18.9."""

    otherwise: SoloOps


class HumanMove(Operation, frozen=True):
    """The human moves up to n clerks: GW-18.9."""

    n: Positive
    spread: Literal["any", "distinct", "one_or_two"]


class ReedMove(Operation, frozen=True):
    """The Overlord moves up to n clerks of the Reed Clan: GW-14.12, GW-18.9."""

    n: Positive


class HumanAttack(Operation, frozen=True):
    """The human may attack with all soldiers of one Section: GW-18.9."""


SoloOp = (
    QinMove
    | QinActivate
    | QinRecruit
    | QinShoot
    | QinUpgrade
    | QinBuildWall
    | QinBarricade
    | QinGain
    | QinCopy
    | HumanMove
    | ReedMove
    | HumanAttack
)
SoloOps = tuple[SoloOp, ...]
"""The operations of a part of a solo command card, in order."""
