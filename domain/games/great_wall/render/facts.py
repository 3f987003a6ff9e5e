"""What each clan owns, in sentences: all of it for texts, and what panels show in words."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Seat
from domain.engine.sentences import Part, SeatName, Sentence, Words
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import sentences
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.rules.costs import Costs
from domain.games.great_wall.sayings import bill
from domain.games.great_wall.state.agenda.requests import AgreeOrder
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.view import ClanView, QinView, View


def own_costs(view: View) -> Costs | None:
    """What things cost the viewer now; None for spectators and after the end."""
    if view.seat is None or view.ended is not None:
        return None
    return view.clans[view.seat].costs


def all_facts(table: Table, clan: int) -> Iterator[str]:
    """What a clan owns besides honor: leaders, resources, pieces and cards."""
    view, words = table
    owned = view.clans[clan]
    if clan == view.reed:
        yield words("has_soldiers", soldiers=sentences.troops(words, owned.pool))
        return
    if view.qin is not None and clan == view.qin.clan:
        yield from _qin(table, view.qin)
        return
    yield from _leaders(words, owned)
    yield from _pieces(words, owned)
    yield from _cards(words, owned)
    yield from _choices(table, clan)
    yield from _answer(table, clan)
    if owned.costs is not None and view.ended is None:
        yield from _costs(words, owned.costs)


def own_facts(table: Table, clan: int) -> Iterator[str]:
    """What the viewer has besides supply and hand, the most important first."""
    view, words = table
    owned = view.clans[clan]
    yield from _choices(table, clan)
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
    yield from _choices(table, clan)
    yield from _answer(table, clan)
    yield from _name_leaders(words, owned)
    yield from _commands(words, owned)
    yield from _defeats(words, owned)


def _name_leaders(words: Words, owned: ClanView) -> Iterator[str]:
    """The names of the General and of the advisors."""
    if owned.general:
        names = [f"general_{owned.general}", *(f"advisor_{one}" for one in owned.active)]
        yield words("has_leaders", cards=sentences.join_words(words, map(words, names)))
    if owned.supporting:
        yield words("has_supporting", cards=sentences.cards(words, "advisor", owned.supporting))


def supply(words: Words, owned: ClanView) -> str:
    """The soldiers in the supply of a clan, and those under Shame tokens."""
    shamed = any(owned.shamed.values())
    return words(
        "has_soldiers_shamed" if shamed else "has_soldiers",
        soldiers=sentences.troops(words, owned.pool),
        **({"shamed": sentences.troops(words, owned.shamed)} if shamed else {}),
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
    yield words("has_soldiers", soldiers=sentences.troops(words, owned.pool))
    yield clerks(table, qin.clan)
    yield from _overseers(words, owned)
    yield from others


def _qin_cards(words: Words, owned: ClanView, qin: QinView) -> Iterator[str]:
    """What counts for Qin Jiushao, and his cards: GW-14.3, GW-14.5."""
    yield words("qin_jiushao_text")
    yield words("has_supporting_down", count=len(owned.supporting))
    yield words("has_commands_down", count=qin.deck)
    if owned.discard:
        yield words("has_discard", cards=sentences.cards(words, "command", owned.discard))
    if owned.claimed:
        yield words("has_claimed", cards=_describe_claims(words, owned))


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
        yield words("has_supporting", cards=sentences.cards(words, "advisor", owned.supporting))


def _pieces(words: Words, owned: ClanView) -> Iterator[str]:
    if owned.resources is None:
        yield words("has_resources_hidden")
    else:
        yield words("has_resources", resources=sentences.amounts(words, owned.resources))
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
        yield words(key, costs=sentences.join_words(words, named))


def _overseers(words: Words, owned: ClanView) -> Iterator[str]:
    if owned.overseers:
        levels = (
            words("overseer_at", location=Sentence(f"location_{at}"), level=one.level)
            for at, one in owned.overseers.items()
        )
        yield words("has_overseers", levels=sentences.join_words(words, levels))


def _cards(words: Words, owned: ClanView) -> Iterator[str]:
    yield from _commands(words, owned)
    if owned.tactics is None:
        yield words("has_tactics_hidden", held=owned.tactics_held)
    else:
        yield words("has_tactics", cards=sentences.cards(words, "tactic", owned.tactics))
    yield from _defeats(words, owned)


def _commands(words: Words, owned: ClanView) -> Iterator[str]:
    yield words("has_commands", cards=sentences.cards(words, "command", owned.commands))
    if owned.discard:
        yield words("has_discard", cards=sentences.cards(words, "command", owned.discard))


def _defeats(words: Words, owned: ClanView) -> Iterator[str]:
    """The Horde cards that a clan claimed and, in the cooperative game, defeated: GW-16.9."""
    if owned.claimed:
        yield words("has_claimed", cards=_describe_claims(words, owned))
    if owned.defeated:
        yield words("has_defeated", cards=sentences.cards(words, "horde", owned.defeated))


def _describe_claims(words: Words, owned: ClanView) -> str:
    """Claimed Horde cards with their honor, or with the Shame that cancels it."""
    return sentences.join_words(words, (_describe_claim(words, claim) for claim in owned.claimed))


def _describe_claim(words: Words, claim: Claim) -> str:
    name = Sentence(f"horde_{claim.card}")
    if claim.shame:
        return words("claimed_shame", card=name, shame=claim.shame)
    return words("claimed_honor", card=name, honor=decks.HORDES[claim.card].honor)


def _answer(table: Table, seat: Seat) -> Iterator[str]:
    """What a seat answered to the proposed order: GW-16.3."""
    view, words = table
    if isinstance(view.step, AgreeOrder):
        if seat in view.step.agreed:
            yield words("agrees_with_order")
        if seat in view.step.declined:
            yield words("declines_order")


def _choices(table: Table, clan: int) -> Iterator[str]:
    """What a clan can choose, has chosen, and which moments it lets pass."""
    view, words = table
    owned = view.clans[clan]
    if owned.dealt_generals:
        dealt = (
            sentences.cards(words, "general", owned.dealt_generals),
            sentences.cards(words, "advisor", owned.dealt_advisors),
        )
        yield words("has_to_choose", generals=dealt[0], advisors=dealt[1])
    if owned.chosen:
        yield words("has_chosen_card", card=Sentence(f"command_{owned.chosen}"))
    elif owned.ready:
        yield words("has_chosen")
    if owned.passing:
        person = "until" if clan == words.reader(view) else "passed"
        moments = (words(f"{person}_{until}", seat=SeatName(clan)) for until in owned.passing)
        yield words("lets_pass", moments=sentences.join_words(words, moments))
