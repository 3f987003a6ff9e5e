"""Prompts: what a seat must decide, and what that costs and brings; and all sayings of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec import UNSET
from msgspec.structs import asdict, replace

from domain.engine.play import Step
from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    describe_fields,
    each,
    either,
    sentence,
    word,
)
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules.costs import Costs
from domain.games.great_wall.sayings import FIELDS, bill, cause
from domain.games.great_wall.state.agenda.clerks import (
    AdvancedActivation,
    Build,
    Donate,
    Hire,
    Logistics,
    MoveClerks,
    OrderActivations,
    TakeIncomes,
    Upgrade,
)
from domain.games.great_wall.state.agenda.effects import ChooseOption, Consider, NamePlayers, React
from domain.games.great_wall.state.agenda.requests import PayRequest
from domain.games.great_wall.state.agenda.soldiers import (
    Attacking,
    ChooseDoomed,
    Recruit,
    Save,
    Wounding,
)
from domain.games.great_wall.state.agenda.supply import DiscardShame, PlaceShame
from domain.games.great_wall.state.bills import NOTHING, Bill
from domain.games.great_wall.state.steps import Reclaim
from domain.games.great_wall.view import ClanView, View

MAX_LOCATIONS = 3
"""More Locations than these are not named in a line."""


def _ask(view: View, step: Step, key: str = "", **parts: Part) -> Sentence:
    """The prompt of a step with more parts, under its own key or another."""
    spoken = describe_fields(step, view, FIELDS, "ask_")
    return Sentence(key or spoken.key, {**spoken.parts, **parts}, spoken.rules)


def _clan(view: View, step: Step) -> ClanView:
    """The clan of the seat that decides."""
    return view.clans[min(step.seats, default=0)]


def _costs(view: View, step: Step) -> Costs:
    """What the seat that decides pays."""
    costs = _clan(view, step).costs
    assert costs is not None, "each seat has costs"
    return costs


def _row(parts: Iterable[Part], key: str = "row_next") -> Part:
    """Several things in a row: `Spearman 1 wood, 2 stone; Archer 1 wood, 2 chi`."""
    found = list(parts)
    if not found:
        return Sentence("nothing")
    return reduce(lambda one, two: sentence(key, one=one, two=two), found)


def _amounts(cost: Bill) -> Part:
    """A bill as a row, without what it is lower by."""
    named = asdict(replace(cost, less=0))
    some = (sentence(f"some_{name}", count=count) for name, count in named.items() if count)
    return _row(some, "list_next")


def _lower(prices: Part, less: int) -> Part:
    """Prices, and by how many resources the whole is lower."""
    return sentence("prices_less", prices=prices, count=less) if less else prices


def _priced(what: str, cost: Part) -> Sentence:
    return sentence("priced", what=Sentence(what), cost=cost)


def _times(left: int) -> Sentence:
    return sentence("times", count=left)


def _attack(view: View, step: Attacking) -> Sentence:
    """With which soldiers a seat may attack, or in Winter shoots."""
    if step.rule == "GW-13.2":
        sections = each(word("section"))(view, step.chosen)
        return _ask(view, step, "ask_Attacking_winter", sections=sections)
    if step.left is None:
        return _ask(view, step, "ask_Attacking_all")
    kind = f"troops_{step.types[0]}" if len(step.types) == 1 else "soldiers"
    return _ask(view, step, "ask_Attacking_some", soldiers=sentence(kind, count=step.left))


def _build(view: View, step: Build) -> Sentence:
    """What a seat may build, with prices and honor."""
    costs, things = _costs(view, step), []
    if step.barricades:
        honor = board.BARRICADE_HONOR if step.honor else 0
        things.append(_built("build_barricade", step, [costs.barricade], [honor]))
    levels = {one.section: one.level for one in view.sections}
    if walls := [one for one in step.walls if one in costs.walls]:
        honors = [board.WALL[levels[one]].next_honor or 0 for one in walls]
        things.append(_built("build_wall", step, [costs.walls[one] for one in walls], honors))
    return _ask(view, step, times=_times(step.left), things=_row(things))


def _built(key: str, step: Build, costs: list[int], honors: list[int]) -> Sentence:
    """A kind of building with its price and its honor, or the range of them."""
    lower = [0 if step.free else max(0, cost - step.less) for cost in costs]
    honor = sentence("some_honor", count=_range(honors))
    if not any(lower):
        return sentence(f"{key}_free", honor=honor)
    return sentence(key, cost=_range(lower), honor=honor)


def _range(numbers: Sequence[int]) -> Part:
    """The least and the greatest of these numbers: `5-15`."""
    least, most = min(numbers), max(numbers)
    return least if least == most else f"{least}\u2013{most}"


def _more(count: int) -> Sentence:
    """How many are left, if more than one is."""
    return sentence("more_left", count=count)


def _several(view: View, step: AdvancedActivation | ChooseOption | NamePlayers) -> Sentence:
    """A question that is asked once for each choice that is left."""
    return _ask(view, step, more=_more(step.left))


def _take_incomes(view: View, step: TakeIncomes) -> Sentence:
    """Whose income a seat may take, and how many more."""
    return _ask(view, step, cause=cause(view, "GW-18.6"), more=_more(step.left))


def _by_card(view: View, step: Step) -> Sentence:
    """A question that only effects of cards ask: GW-18.6."""
    return _ask(view, step, cause=cause(view, "GW-18.6"))


def _choose_doomed(view: View, step: ChooseDoomed) -> Sentence:
    """How many soldiers are about to be killed, and what saving one costs."""
    life = bill(view, _costs(view, step).life)
    return _ask(view, step, "ask_ChooseDoomed", bill=life, cause=_why_doomed(view, step))


def _why_doomed(view: View, step: ChooseDoomed | Save) -> Part:
    """By what the soldiers die: in earlier entries a breach."""
    return cause(view, "GW-13.6" if step.cause is UNSET else step.cause)


def _consider(view: View, step: Consider) -> Sentence:
    """Whether a seat uses an effect, with its price."""
    free = "ask_Consider_free" if step.price == NOTHING else ""
    return _ask(view, step, free, bill=bill(view, step.price), more=_more(step.left))


def _donate(view: View, step: Donate) -> Sentence:
    """What a seat may donate, and the honor for it."""
    honor = sentence("honor_points", count=board.DONATE_HONOR)
    return _ask(view, step, count=step.left, honor=honor)


def _hire(view: View, step: Hire) -> Sentence:
    """Whom a seat may hire, and at which price."""
    costs, things = _costs(view, step), []
    if step.clerk is not None and _clan(view, step).clerks_space:
        things.append(_priced("cost_clerk", bill(view, step.clerk)))
    if step.advisors:
        price = replace(costs.advisor, gold=max(0, costs.advisor.gold - step.less))
        things.append(_priced("cost_advisor", bill(view, price)))
    return _ask(view, step, times=_times(step.left), things=_row(things))


def _logistics(view: View, step: Logistics) -> Sentence:
    """How many moves are left; without one, more soldiers may take the way of the last move."""
    return _ask(view, step, count=step.left)


def _move_clerks(view: View, step: MoveClerks) -> Sentence:
    """How many clerks a seat may move, and to how many Locations."""
    return _ask(view, step, f"ask_MoveClerks_{step.spread}", count=step.left)


def _order_activations(view: View, step: OrderActivations) -> Sentence:
    """Which Locations are ready: their names, or their number."""
    if len(step.waiting) <= MAX_LOCATIONS:
        return _ask(view, step)
    return _ask(view, step, "ask_OrderActivations_many", count=len(step.waiting))


def _pay_request(view: View, step: PayRequest) -> Sentence:
    """What a Request asks of all."""
    return _ask(view, step, text=Sentence(f"request_{step.request}_text"))


def _react(view: View, step: React) -> Sentence:
    """Which moment it is for tactic cards."""
    return _ask(view, step, moment=_moment(view, step))


def _moment(view: View, step: React) -> Part:
    """The event at which tactic cards can be played: the attack, the Horde card, the soldiers."""
    about = step.context
    window = next((names[0] for _, names in step.windows), "you_attack")
    sections = each(word("section"))(view, about.sections)
    hordes = each(word("horde"))(view, about.hordes)
    parts: dict[str, Part] = {
        "soldiers": each(word("soldier"))(view, about.types),
        "hordes": hordes,
        "where": hordes or sections,
        "dying": sentence("soldiers", count=about.dying),
    }
    missed = window == "you_attack" and not hordes
    return Sentence("moment_missed" if missed else f"moment_{window}", parts)


def _place_shame(view: View, step: PlaceShame) -> Sentence:
    """What a seat may do with a Shame token now: GW-11.2, GW-16.5, GW-16.6."""
    clan = _clan(view, step)
    choices = [sentence("shame_under_soldier")] if any(clan.pool.values()) else []
    if any(claim.shame < decks.HORDES[claim.card].shame_slots for claim in clan.claimed):
        choices.append(sentence("shame_onto_card"))
    lost = [] if choices else [sentence("shame_given_up", honor=_honor(board.SHAME_PENALTY))]
    if view.mode == "coop" and clan.honor >= board.SHAME_HONOR:
        choices.append(sentence("shame_returned_at_once", honor=_honor(board.SHAME_HONOR)))
    return _ask(view, step, choices=either(lambda _view, choice: choice)(view, choices + lost))


def _honor(count: int) -> Sentence:
    return sentence("honor_points", count=count)


def _reclaim(view: View, step: Reclaim) -> Sentence:
    """How many command cards a seat can take back, or how much honor."""
    discarded = len(_clan(view, step).discard)
    return _ask(
        view,
        step,
        cards=sentence("command_cards", count=discarded),
        honor=sentence("honor_points", count=discarded * board.UNRECLAIMED_HONOR),
    )


def _recruit(view: View, step: Recruit) -> Sentence:
    """What each recruit costs."""
    if step.free:
        return _ask(view, step, "ask_Recruit_free")
    usual = _costs(view, step).recruits
    bills = {one: step.cost or usual[one] for one in step.types}
    less = step.less + min((cost.less for cost in bills.values()), default=0)
    prices = _row(_priced(f"soldier_{one}", _amounts(cost)) for one, cost in bills.items())
    return _ask(view, step, things=_lower(prices, less))


def _return_shame(view: View, step: DiscardShame) -> Sentence:
    """How many Shame tokens a seat may return, and at which price."""
    return _ask(view, step, "ask_DiscardShame_free" if step.bill == NOTHING else "")


def _save(view: View, step: Save) -> Sentence:
    """How many soldiers a seat may save, and at which price."""
    key = "ask_Save_free" if step.bill == NOTHING else "ask_Save"
    return _ask(view, step, key, cause=_why_doomed(view, step))


def _upgrade(view: View, step: Upgrade) -> Sentence:
    """Which Overseers a seat may upgrade, and at which prices."""
    if step.free:
        return _ask(view, step, "ask_Upgrade_free", more=_more(step.left))
    costs = _costs(view, step).overseers
    bills = {one: costs[one] for one in step.where if one in costs}
    less = step.less + min((cost.less for cost in bills.values()), default=0)
    prices = _row(_priced(f"location_{one}", _amounts(cost)) for one, cost in bills.items())
    return _ask(view, step, things=_lower(prices, less), more=_more(step.left))


def _wound(view: View, step: Wounding) -> Sentence:
    """How many Wound markers a seat may place, and on which Horde cards or in which Sections."""
    hordes = each(word("horde"))(view, step.cards)
    return _ask(view, step, where=hordes or each(word("section"))(view, step.sections))


def _done(view: View, _id: str) -> Sentence:
    """What a seat ends that is done."""
    return Sentence(f"done_{type(view.step).__name__}")


SAYINGS: Sayings = {
    **FIELDS,
    "AdvancedActivation": _several,
    "Attacking": _attack,
    "Build": _build,
    "ChooseDoomed": _choose_doomed,
    "ChooseOption": _several,
    "Consider": _consider,
    "DiscardShame": _return_shame,
    "Donate": _donate,
    "Hire": _hire,
    "Logistics": _logistics,
    "MoveClerks": _move_clerks,
    "NamePlayers": _several,
    "OrderActivations": _order_activations,
    "PayRequest": _pay_request,
    "PlaceShame": _place_shame,
    "React": _react,
    "Reclaim": _reclaim,
    "Recruit": _recruit,
    "Save": _save,
    "SendBack": _by_card,
    "StockWarehouse": _by_card,
    "TakeIncomes": _take_incomes,
    "Upgrade": _upgrade,
    "Wounding": _wound,
    "touch_done": _done,
}
