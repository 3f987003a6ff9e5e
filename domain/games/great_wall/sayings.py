"""What is said of events and of the fields of steps, with the words of each language in `texts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    describe_fields,
    each,
    either,
    quoted,
    sentence,
    silent,
    verbatim,
    with_count,
    word,
)
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.automata import PLACE_OF, Token
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.soldiers import SoldiersKilled
from domain.games.great_wall.events.solo import PartOfCard
from domain.games.great_wall.state.agenda.effects import ChooseOption, Perform
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Leaders
from domain.games.great_wall.state.position import spot_name
from domain.games.great_wall.state.table import LaidCommand
from domain.games.great_wall.view import View


def clan(view: View, number: int | str) -> Part:
    """A clan by whoever plays it, or the Reed Clan, or Qin Jiushao."""
    if int(number) == view.reed:
        return Sentence("reed_clan")
    of_qin = view.qin is not None and int(number) == view.qin.clan
    return Sentence("qin_jiushao") if of_qin else SeatName(int(number))


def _resources(_view: object, resources: Mapping[str, int]) -> Part:
    """How much of each."""
    amounts = [(name, resources.get(name, 0)) for name in (*board.RESOURCES, "honor")]
    return tuple(sentence(f"some_{name}", count=count) for name, count in amounts if count)


def bill(_view: object, cost: Bill) -> Part:
    """What is to be paid, and by how many resources the whole is lower."""
    named = msgspec.structs.asdict(cost)
    less = named.pop("less")
    parts = tuple(sentence(f"some_{name}", count=count) for name, count in named.items() if count)
    named_bill = parts or Sentence("nothing")
    return sentence("bill_less", bill=named_bill, count=less) if less else named_bill


cause = word("cause")
"""Say a rule as what caused the event or the question: `breach`."""


def _effect(_view: object, here: Perform) -> Part:
    """An effect by the card that has it."""
    deck, _, rest = here.script.partition("/")
    card = rest.partition("/")[0]
    kind = "command" if deck == "solo" else deck.removesuffix("s")
    return quoted(kind)(None, card)


def _leaders(_view: object, leaders: Leaders) -> Part:
    general = quoted("general")(None, leaders.general)
    return general, quoted("advisor")(None, leaders.active)


def _laid(view: View, laid: LaidCommand) -> Part:
    return sentence("laid", card=_command(view, laid.card), clan=clan(view, laid.clan))


def _command(_view: object, card: str | None) -> Part:
    """A command card; some have none, and the Reed Clan has its own."""
    return Sentence("no_card") if card is None else quoted("command")(None, card)


def _unit(_view: object, unit: Unit) -> Part:
    soldier, section = Sentence(f"soldier_{unit.soldier}"), Sentence(f"section_{unit.section}")
    return sentence("unit", soldier=soldier, section=section)


def _killed(view: View, event: SoldiersKilled) -> Sentence:
    """Which soldiers died of what, and which were saved, without empty lists."""
    spoken = describe_fields(event, view, FIELDS)
    form = "" if event.killed and event.saved else "_all" if event.killed else "_none"
    return Sentence(f"{spoken.key}{form}", spoken.parts, spoken.rules)


def _a_unit(_view: object, unit: Unit) -> Part:
    soldier, section = Sentence(f"a_soldier_{unit.soldier}"), Sentence(f"section_{unit.section}")
    return sentence("unit", soldier=soldier, section=section)


def _spot(view: object, spot: int) -> Part:
    return _place(view, spot_name(spot))


def _number(_view: object, number: int | str) -> Part:
    """A number as people count: from 1."""
    return int(number) + 1


def _place(_view: object, place: str) -> Part:
    """A Vital spot as people count: its row and its column from 1."""
    return ",".join(str(int(number) + 1) for number in place.split(","))


def _event(_view: object, card: str) -> Part:
    """An event with what it does: what is over at once stands nowhere else."""
    name = quoted("event")(None, card)
    return sentence("card_line", card=name, text=Sentence(f"event_{card}_text"))


def _ability(_view: object, address: str) -> Part:
    """An ability by the card that has it, and by its number if that has several."""
    deck, card, number = address.split("/")
    named = Sentence(f"{deck.removesuffix('s')}_{card}")
    has_more = f"{deck}/{card}/1" in SCRIPTS
    return sentence("ability", card=named, number=int(number) + 1) if has_more else named


def _part(view: View, by: PartOfCard) -> Part:
    return sentence("part_of_card", card=_command(view, by.card), part=Sentence(f"part_{by.part}"))


def _token(_view: object, token: Token) -> Part:
    """A Location token by the Location it stands for."""
    return Sentence(f"location_{PLACE_OF[token]}")


def _change(_view: object, change: int) -> Part:
    """A number that is added, or taken away."""
    return f"{change:+}"


def _option(view: View, number: str) -> Part:
    """An option of the card that asks, by what it begins with."""
    assert isinstance(view.step, ChooseOption)
    asking = SCRIPTS[view.step.here.script][view.step.here.at]
    assert isinstance(asking, ops.Choose)
    begins = asking.options[int(number)][0]
    return Sentence(f"option_{begins.__struct_config__.tag}")


def _outcome(_view: object, winners: Sequence[int]) -> Part:
    """Who has won, or that nobody has: so a table loses that plays together."""
    return sentence("outcome", winners=tuple(map(SeatName, winners)), count=len(winners))


FIELDS: Sayings = {
    "Build.barricades": silent,
    "Build.walls": silent,
    "Build.less": silent,
    "Build.free": silent,
    "Build.honor": silent,
    "Upgrade.less": silent,
    "Upgrade.free": silent,
    "Hire.advisors": silent,
    "Hire.less": silent,
    "clerk": silent,
    "Recruit.types": silent,
    "Recruit.cost": silent,
    "Recruit.less": silent,
    "Recruit.free": silent,
    "Deploy.recruited": silent,
    "Deploy.resting": silent,
    "Deploy.firing": silent,
    "Attacking.left": silent,
    "Attacking.types": silent,
    "Attacking.origins": silent,
    "Attacking.sections": silent,
    "Attacking.chosen": silent,
    "Attacking.each_section": silent,
    "Attacking.made": silent,
    "Attacking.shot": silent,
    "Attacking.spare": silent,
    "Wounding.sections": silent,
    "Wounding.one": silent,
    "Wounding.cards": silent,
    "filled": silent,
    "AgreeOrder.proposed": silent,
    "agreed": silent,
    "declined": silent,
    "failed": silent,
    "event": _event,
    "kind": word("kind"),
    "request": quoted("request"),
    "requests": each(quoted("request")),
    "unit": _unit,
    "Sacrifice.left": with_count("soldiers"),
    "TakeIncomes.where": silent,
    "TakeIncomes.done": silent,
    "MoveClerks.spread": silent,
    "moved": silent,
    "MomentPassed": silent,
    "Logistics.route": silent,
    "different": silent,
    "ChooseOption.taken": silent,
    "active": quoted("advisor"),
    "advisor": quoted("advisor"),
    "advisors": each(quoted("advisor")),
    "ChooseSupporter.advisors": either(quoted("advisor")),
    "AdvisorsReshuffled.advisors": silent,
    "ArtifactsLaid.cards": each(quoted("artifact")),
    "BarricadeBuilt.honor": with_count("and_honor"),
    "bill": bill,
    "clan": clan,
    "clerks": silent,
    "CommandChosen.card": _command,
    "CommandPlaced.card": _command,
    "CommandsLeft.cards": with_count("command_cards"),
    "CommandsReclaimed.cards": each(_command),
    "CommandsRevealed.cards": each(_command),
    "ChooseOption.here": _effect,
    "Consider.here": _effect,
    "NamePlayers.here": _effect,
    "ChooseDoomed.units": silent,
    "Pay.rule": cause,
    "TakeResources.rule": cause,
    "LoseResources.rule": cause,
    "PlaceShame.rule": cause,
    "ResourcesTaken.rule": cause,
    "ResourcesLost.rule": cause,
    "Paid.rule": cause,
    "WarehousePaid.rule": cause,
    "WarehouseStocked.rule": cause,
    "ShameTaken.rule": cause,
    "ShameUnplaced.rule": cause,
    "SoldiersKilled": _killed,
    "SoldiersKilled.rule": cause,
    "HonorChanged.source": word("score"),
    "context": silent,
    "credits": silent,
    "defeater": clan,
    "does": word("deed"),
    "general": quoted("general"),
    "generals": each(quoted("general")),
    "here": silent,
    "honor": with_count("honor_points"),
    "HonorChanged.honor": _change,
    "GameEnded.honor": each(verbatim),
    "GameEnded.winners": _outcome,
    "SoloCommandDrawn.card": _command,
    "SoloCommandsReshuffled.cards": silent,
    "by": _part,
    "QinGathered.clerks": with_count("clerks"),
    "token": _token,
    "TokenRaised.tokens": silent,
    "LocationTrackLaid.tokens": each(_token),
    "SupportersLaid.advisors": silent,
    "HordeDefeated.card": quoted("horde"),
    "HordeDrawn.card": quoted("horde"),
    "HordePlaced.card": quoted("horde"),
    "HordesReshuffled.cards": silent,
    "HordeStruck": silent,
    "HordesSwapped.card": quoted("horde"),
    "HordeTaken.card": quoted("horde"),
    "indicator": word("section"),
    "killed": each(_a_unit),
    "leaders": _leaders,
    "ChooseDoomed.left": with_count("soldiers"),
    "DiscardShame.left": with_count("shame_tokens"),
    "DiscardTactics.keep": with_count("tactic_cards"),
    "LoseResources.left": with_count("resources"),
    "MoveClerks.left": with_count("clerks"),
    "MoveReedClerks.left": with_count("clerks"),
    "ReclaimSome.left": with_count("command_cards"),
    "Recruit.left": with_count("soldiers"),
    "Save.left": with_count("soldiers"),
    "SendBack.left": with_count("clerks"),
    "StockWarehouse.left": with_count("resources"),
    "TakeResources.left": with_count("resources"),
    "Wounding.left": with_count("wounds"),
    "Deploy.left": each(word("soldier")),
    "location": word("location"),
    "named": silent,
    "order": each(clan),
    "origin": word("place"),
    "ClerkMoved.origin": word("location"),
    "RaidMade.card": quoted("horde"),
    "reason": word("end"),
    "resource": word("resource"),
    "ResourcesTaken.resources": _resources,
    "ResourcesLost.resources": _resources,
    "Paid.resources": _resources,
    "WarehousePaid.resources": _resources,
    "WarehouseStocked.resources": _resources,
    "resources": either(word("resource")),
    "row": _number,
    "saved": each(_a_unit),
    "season": word("season"),
    "seat": clan,
    "section": word("section"),
    "ShameReturned.card": quoted("horde"),
    "ShameReturned.soldier": word("a_soldier"),
    "ShameTaken.card": quoted("horde"),
    "ShameTaken.soldier": word("a_soldier"),
    "slot": _number,
    "soldier": word("soldier"),
    "SoldierAttacked.card": quoted("horde"),
    "SoldierAttacked.soldier": word("a_soldier"),
    "SoldierMoved.origin": word("section"),
    "SoldierMoved.soldier": word("a_soldier"),
    "SoldierMoved.to": word("section"),
    "SoldierRested.soldier": word("a_soldier"),
    "SoldierSacrificed.soldier": word("a_soldier"),
    "SoldierSacrificed.unit": _a_unit,
    "ArcherShot.card": quoted("horde"),
    "spot": _spot,
    "spots": each(_spot),
    "supporting": quoted("advisor"),
    "survivors": silent,
    "tally": silent,
    "to": word("location"),
    "TacticDiscarded.card": quoted("tactic"),
    "TacticDrawn.card": quoted("tactic"),
    "TacticPlayed.card": quoted("tactic"),
    "TacticSpent": silent,
    "ReactionSealed.card": quoted("tactic"),
    "TacticsReshuffled.cards": silent,
    "TrackCleared.cards": each(_laid),
    "TurnBegan.card": _command,
    "units": silent,
    "until": word("passed"),
    "where": silent,
    "Upgrade.where": either(word("location")),
    "windows": silent,
    "OrderPlayers.waiting": each(clan),
    "OrderActivations.waiting": either(word("location")),
    "waiting": silent,
    "WoundMade.card": quoted("horde"),
    "touch_ability.a": _ability,
    "touch_advisor.a": word("advisor"),
    "touch_as.a": word("as"),
    "touch_boost.a": word("boost"),
    "touch_card.a": word("section"),
    "touch_card.b": _number,
    "touch_claimed.a": word("horde"),
    "touch_clan.a": clan,
    "touch_command.a": word("command"),
    "touch_firing.a": word("section"),
    "touch_from.a": word("place"),
    "touch_general.a": word("general"),
    "touch_horde.a": word("horde"),
    "touch_location.a": word("location"),
    "touch_option.a": _option,
    "touch_pass.a": word("until"),
    "touch_pay.a": word("resource"),
    "touch_player.a": clan,
    "touch_resource.a": word("resource"),
    "touch_rest.a": word("section"),
    "touch_section.a": word("section"),
    "touch_slot.a": _number,
    "touch_soldier.a": word("soldier"),
    "touch_spot.a": word("section"),
    "touch_spot.b": _number,
    "touch_spot.c": _place,
    "touch_request.a": word("request"),
    "touch_shown.a": clan,
    "touch_tactic.a": word("tactic"),
}
