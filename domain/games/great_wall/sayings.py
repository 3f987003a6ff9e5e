"""What is said of events and of the fields of steps, with the words of each language in `texts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.engine.sentences import (
    Part,
    Saying,
    Sayings,
    SeatName,
    Sentence,
    describe_fields,
    each,
    either,
    quoted,
    same_effects,
    sentence,
    silent,
    verbatim,
    with_count,
    word,
)
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks, ops
from domain.games.great_wall.cards.automata import PLACE_OF, Token
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.effects import PassOrdered
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


def _pass_order(view: View, ordered: PassOrdered) -> Sentence:
    """When a seat plays no tactic cards, as itself or as others say it."""
    spoken = describe_fields(ordered, view, FIELDS)
    until = sentence(f"passed_{ordered.until}", seat=clan(view, ordered.seat))
    return Sentence(spoken.key, {**spoken.parts, "until": until}, spoken.rules)


def _a_unit(_view: object, unit: Unit) -> Part:
    soldier, section = Sentence(f"a_soldier_{unit.soldier}"), Sentence(f"section_{unit.section}")
    return sentence("unit", soldier=soldier, section=section)


def _spot(view: object, spot: int) -> Part:
    return _place(view, spot_name(spot))


def _number(_view: object, number: int | str) -> Part:
    """A number as people count: from 1."""
    return int(number) + 1


def _place(_view: object, place: str) -> Part:
    """A Vital spot as people say it: above or below, and its column from 1."""
    row, column = map(int, place.split(","))
    return sentence(("spot_above", "spot_below")[row], column=column + 1)


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
    """Honor that is added, or taken away."""
    return sentence("honor_given" if change < 0 else "honor_taken", count=abs(change))


def _option(view: View, number: str) -> Part:
    """An option of the card that asks, by what it begins with."""
    assert isinstance(view.step, ChooseOption)
    asking = SCRIPTS[view.step.here.script][view.step.here.at]
    assert isinstance(asking, ops.Choose)
    begins = asking.options[int(number)][0]
    return Sentence(f"option_{begins.__struct_config__.tag}")


def _text_of(kind: str) -> Saying:
    """Say what a card does by its text."""
    return lambda _view, card: Sentence(f"{kind}_{card}_text")


def _text_of_horde(_view: object, card: str) -> Part:
    """What a Horde card does, by its type."""
    return Sentence(f"horde_{decks.HORDES[card].type}_text")


def _text_of_shown(view: View, clan_number: str) -> Part:
    """What the command card does that a clan shows; () if it shows none."""
    shown = (one.card for one in view.shown if one.clan == int(clan_number))
    return next((Sentence(f"command_{card}_text") for card in shown), ())


def _outcome(_view: object, winners: Sequence[int]) -> Part:
    """Who has won, or that nobody has: so a table loses that plays together."""
    return sentence("outcome", winners=tuple(map(SeatName, winners)), count=len(winners))


_OF_ATTACKS = ("left", "types", "origins", "sections", "chosen", "each_section", "made", "shot")
"""What the questions about attacks leave out."""

FIELDS: Sayings = {
    "Build.barricades": silent,
    "Build.walls": silent,
    "less": silent,
    "Build.free": silent,
    "Build.honor": silent,
    "Upgrade.free": silent,
    "Hire.advisors": silent,
    "clerk": silent,
    "Recruit.types": silent,
    "Recruit.cost": silent,
    "Recruit.free": silent,
    **dict.fromkeys(("Deploy.recruited", "Deploy.resting", "Deploy.firing"), silent),
    "Attacking.spare": silent,
    **dict.fromkeys((f"Attacking.{one}" for one in _OF_ATTACKS), silent),
    **dict.fromkeys(("Wounding.sections", "Wounding.one", "Wounding.cards"), silent),
    "cause": cause,
    "ReclaimSome.rule": cause,
    "OrderAbilities.waiting": either(_ability),
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
    "ShameUnplaced.honor": with_count("honor_lost"),
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
    **dict.fromkeys(("StockWarehouse.left", "TakeResources.left"), with_count("resources")),
    "Wounding.left": with_count("wounds"),
    "Deploy.left": each(word("soldier")),
    "location": word("location"),
    "named": silent,
    "order": each(clan),
    "origin": word("place"),
    **same_effects("effect_section", "effect_spot", "effect_rest"),
    **same_effects("effect_barricade", "effect_hire", "effect_wall"),
    "effect_advisor": _text_of("advisor"),
    "effect_command": _text_of("command"),
    "effect_general": _text_of("general"),
    **dict.fromkeys(("effect_claimed", "effect_horde"), _text_of_horde),
    **dict.fromkeys(("effect_as", "effect_location", "effect_soldier"), word("effect")),
    "effect_request": _text_of("request"),
    "effect_shown": _text_of_shown,
    "effect_tactic": _text_of("tactic"),
    "ClerkMoved.origin": word("location"),
    "RaidMade.card": quoted("horde"),
    "RaidMade.tokens": with_count("raid_tokens"),
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
    "PassOrdered": _pass_order,
    "where": silent,
    "ClerksDoubled.where": word("location"),
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
    **dict.fromkeys(("touch_rest.a", "touch_section.a", "touch_spot.a"), word("section")),
    "touch_slot.a": _number,
    "touch_soldier.a": word("soldier"),
    "touch_spot.b": _number,
    "touch_spot.c": _place,
    "touch_request.a": word("request"),
    "touch_shown.a": clan,
    "touch_tactic.a": word("tactic"),
}
