"""How players point at moves: touches of Sections, Locations, spots and cards, and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.engine.game import Json
from domain.engine.play import Move
from domain.engine.touches import (
    ImpliedMoves,
    Pointing,
    Touch,
    TouchKind,
    Way,
    as_number,
    id_of,
    kind_of,
)
from domain.games.great_wall import board, moves
from domain.games.great_wall.state.position import SPOT_NUMBER, spot_name
from domain.games.great_wall.view import View

LOCATION = TouchKind("location", "thing", "a Location")
SECTION = TouchKind("section", "thing", "a Section of the Wall")
HORDE = TouchKind("horde", "thing", "a Horde card on the board")
SPOT = TouchKind("spot", "thing", "a Vital spot, by Section, row, and its place on the card")
SLOT = TouchKind("slot", "thing", "a slot of the Command track, counted from 0")
CARD = TouchKind("card", "part", "the Vital spots of a Horde card, by its Section and row")
CLERK = TouchKind("clerk", "word", "a clerk of the pool")
SOLDIER = TouchKind("soldier", "word", "a soldier of this type")
FROM = TouchKind(
    "from", "word", "where the soldier comes from: the pool, a Rest Zone, a Firing spot"
)
FIRING = TouchKind("firing", "thing", "a Firing spot of a Section")
REST = TouchKind("rest", "thing", "the Rest Zone of a Section")
CLAN = TouchKind("clan", "word", "a clan, by its number")
PLAYER = TouchKind("player", "word", "a player, by the seat")
GENERAL = TouchKind("general", "thing", "a General")
ADVISOR = TouchKind("advisor", "thing", "an advisor")
AS = TouchKind("as", "word", "how the advisor is hired: active or supporting")
COMMAND = TouchKind("command", "thing", "a command card")
TACTIC = TouchKind("tactic", "thing", "a tactic card")
BOOST = TouchKind("boost", "word", "whether the tactic card is boosted: yes or no")
CLAIMED_HORDE = TouchKind("claimed", "word", "a claimed Horde card")
RETURN = TouchKind("return", "word", "return the Shame token at once, for honor")
REQUEST = TouchKind("request", "thing", "a Request of the Emperor")
SHOWN_COMMAND = TouchKind(
    "shown", "thing", "a command card that is not on the track yet, by its clan"
)
AGREE = TouchKind("agree", "word", "agree with what is proposed")
REFUSE = TouchKind("refuse", "word", "do not agree with what is proposed")
GIVE = TouchKind("give", "word", "how much is offered")
TENS = TouchKind("tens", "part", "ten amounts to offer, by the first and the last")
ABILITY = TouchKind("ability", "word", "an ability, by its address")
OPTION = TouchKind("option", "word", "an option of the card, counted from 0")
RESOURCE = TouchKind("resource", "word", "one resource of this type")
PAY = TouchKind("pay", "word", "how much of a resource is paid")
BARRICADE = TouchKind("barricade", "word", "build a Barricade")
WALL = TouchKind("wall", "word", "build a Wall part")
HIRE = TouchKind("hire", "word", "hire a clerk")
RECLAIM = TouchKind("reclaim", "word", "take all command cards back")
HONOR = TouchKind("honor", "word", "leave the command cards, for honor")
ACCEPT = TouchKind("accept", "word", "pay for the effect, and use it")
DECLINE = TouchKind("decline", "word", "play no tactic card")
PASS = TouchKind("pass", "word", "until when no tactic cards are asked for")
ASK_AGAIN = TouchKind("ask_again", "word", "be asked for tactic cards again")
DONE = TouchKind("done", "word", "do no more of it")
KINDS = tuple(kind for kind in dict(vars()).values() if isinstance(kind, TouchKind))


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The one way to point at a move."""
    yield _WAYS[type(move)](move)


def within(_view: View, touch: Touch) -> Touch | None:
    """For a Vital spot, its Horde card; for an amount, its tens; None otherwise."""
    match kind_of(touch):
        case SPOT.kind:
            return CARD.of(id_of(touch).rpartition(":")[0])
        case GIVE.kind:
            first = 10 * (int(id_of(touch)) // 10)
            return TENS.of(first, first + 9)
        case _:
            return None


def spot(section: board.Section, row: int, place: str) -> Touch:
    """The name of a Vital spot."""
    return SPOT.of(section, row, place)


def _one(kind: TouchKind, field: str) -> Callable[[Any], Way]:
    """Moves that are one name, given by one of their fields."""
    return lambda move: (kind.of(getattr(move, field)),)


def _say(kind: TouchKind) -> Callable[[Any], Way]:
    return lambda _move: (kind.of(),)


def _clerk(move: moves.MoveClerk) -> Way:
    return LOCATION.of(move.origin) if move.origin else CLERK.of(), LOCATION.of(move.to)


def _upgrade(move: moves.UpgradeOverseer) -> Way:
    soldier = (SOLDIER.of(move.soldier),) if move.soldier else ()
    return LOCATION.of(move.location), *soldier


def _marching(move: moves.MoveSoldier) -> Way:
    origin = (FIRING if move.fired else REST).of(move.origin)
    return SOLDIER.of(move.soldier), origin, (FIRING if move.fires else REST).of(move.to)


def _attack(move: moves.Attack) -> Way:
    """The soldier, where it comes from, and each spot; or the Firing spot if it wounds nothing."""
    begun = SOLDIER.of(move.soldier), FROM.of(move.origin)
    if move.row is None:
        return *begun, FIRING.of(move.section)
    row, section = move.row, move.section
    return *begun, *(spot(section, row, spot_name(place)) for place in move.spots)


def _soldier_there(move: moves.LoseSoldier | moves.SaveSoldier) -> Way:
    there = HORDE.of(move.card) if move.card else SECTION.of(move.section)
    return SOLDIER.of(move.soldier), there


def _shame(move: moves.PutShame | moves.ReturnShame) -> Way:
    if move.soldier:
        return (SOLDIER.of(move.soldier),)
    return (CLAIMED_HORDE.of(move.card) if move.card else RETURN.of(),)


def _paying(move: moves.PayBill) -> Way:
    paid = ((name, getattr(move, name)) for name in board.RESOURCES)
    return tuple(PAY.of(name, count) for name, count in paid if count)


def _tactic(move: moves.PlayTactic) -> Way:
    if move.card is None:
        return (DECLINE.of(),)
    return TACTIC.of(move.card), BOOST.of("yes" if move.boosted else "no")


def _hiring(move: moves.HireAdvisor) -> Way:
    return ADVISOR.of(move.advisor), AS.of("active" if move.active else "supporting")


def _sacrifice(move: moves.SacrificeSoldier) -> Way:
    section = move.section or ""
    match move.place:
        case "pool":
            return SOLDIER.of(move.soldier), FROM.of(move.place)
        case "horde":
            return SOLDIER.of(move.soldier), HORDE.of(move.card or "")
        case "firing":
            return SOLDIER.of(move.soldier), FIRING.of(section)
        case "rest":
            return SOLDIER.of(move.soldier), REST.of(section)


_WAYS: dict[type[Move], Callable[[Any], Way]] = {
    moves.Done: _say(DONE),
    moves.KeepLeaders: lambda m: (GENERAL.of(m.general), ADVISOR.of(m.active)),
    moves.PlayCommand: _one(COMMAND, "card"),
    moves.LayCommand: _one(SLOT, "slot"),
    moves.GiveAdvisor: _one(ADVISOR, "advisor"),
    moves.ReclaimCards: _say(RECLAIM),
    moves.TakeHonor: _say(HONOR),
    moves.ReclaimCard: _one(COMMAND, "card"),
    moves.MoveClerk: _clerk,
    moves.SendClerkBack: _one(LOCATION, "location"),
    moves.ActivateLocation: _one(LOCATION, "location"),
    moves.UpgradeOverseer: _upgrade,
    moves.DonateResource: _one(RESOURCE, "resource"),
    moves.TakeIncome: lambda m: (LOCATION.of(m.location), CLAN.of(m.clan)),
    moves.BuildBarricade: lambda m: (BARRICADE.of(), SECTION.of(m.section)),
    moves.BuildWall: lambda m: (WALL.of(), SECTION.of(m.section)),
    moves.HireClerk: _say(HIRE),
    moves.HireAdvisor: _hiring,
    moves.DiscardAdvisor: _one(ADVISOR, "advisor"),
    moves.MoveSoldier: _marching,
    moves.NameRecruit: _one(SOLDIER, "soldier"),
    moves.SendToRest: lambda m: (SOLDIER.of(m.soldier), REST.of(m.section)),
    moves.Attack: _attack,
    moves.Wound: lambda m: (spot(m.section, m.row, spot_name(m.spot)),),
    moves.LoseSoldier: _soldier_there,
    moves.SaveSoldier: _soldier_there,
    moves.PutShame: _shame,
    moves.ReturnShame: _shame,
    moves.PayBill: _paying,
    moves.TakeResource: _one(RESOURCE, "resource"),
    moves.LoseResource: _one(RESOURCE, "resource"),
    moves.StockResource: _one(RESOURCE, "resource"),
    moves.DiscardTactic: _one(TACTIC, "card"),
    moves.UseAbility: _one(ABILITY, "ability"),
    moves.Accept: _say(ACCEPT),
    moves.TakeOption: _one(OPTION, "option"),
    moves.NamePlayer: _one(PLAYER, "player"),
    moves.CopyCard: _one(SLOT, "slot"),
    moves.PlayTactic: _tactic,
    moves.LetPass: _one(PASS, "until"),
    moves.AskAgain: _say(ASK_AGAIN),
    moves.ProposeOrder: lambda m: tuple(map(SHOWN_COMMAND.of, m.order)),
    moves.AgreeToOrder: _say(AGREE),
    moves.DeclineOrder: _say(REFUSE),
    moves.DeclareRequest: _one(REQUEST, "request"),
    moves.AgreeToPay: _say(AGREE),
    moves.RefuseToPay: _say(REFUSE),
    moves.GiveShare: _one(GIVE, "amount"),
    moves.SacrificeSoldier: _sacrifice,
}


def _with(field: str, *kinds: str) -> Callable[..., Iterable[Json]]:
    """Moves of these kinds that need one more thing."""
    return lambda _view, name: ({"type": kind, field: as_number(name)} for kind in kinds)


def _send_clerk(_view: View, origin: str, to: str) -> Iterator[Json]:
    """A clerk from the pool, or from a Location."""
    yield {"type": "MoveClerk", "to": to, **({"origin": origin} if origin else {})}


def _build(kind: str) -> Callable[..., Iterable[Json]]:
    return lambda _view, _, section: [{"type": kind, "section": section}]


def _march(fired: bool, fires: bool) -> Callable[..., Iterable[Json]]:
    way = {"type": "MoveSoldier", "fired": fired, "fires": fires}
    return lambda _view, soldier, origin, to: [
        {**way, "soldier": soldier, "origin": origin, "to": to}
    ]


def _wound(_view: View, name: str) -> Iterator[Json]:
    section, row, place = _spot(name)
    yield {"type": "Wound", "section": section, "row": row, "spot": place}


def _attack_moves(_view: View, soldier: str, origin: str, *names: str) -> Iterator[Json]:
    """An attack on Vital spots of a Horde card; the first spot names the card."""
    section, row, _ = _spot(names[0])
    spots = [_spot(name)[2] for name in names]
    where = {"section": section, "row": row, "spots": spots}
    yield {"type": "Attack", "soldier": soldier, "origin": origin, **where}


def _spot(name: str) -> tuple[str, int | str, int | None]:
    """The Section, the row and the number of a Vital spot; the number is None if unknown."""
    card, _, place = name.rpartition(":")
    section, _, row = card.rpartition(":")
    return section, as_number(row), SPOT_NUMBER.get(place)


def _sacrifice_moves(place: str, *fields: str) -> Callable[..., Iterable[Json]]:
    """A soldier to sacrifice, and where it stands."""
    return lambda _view, soldier, *which: [
        {
            "type": "SacrificeSoldier",
            "soldier": soldier,
            "place": place,
            **dict(zip(fields, which, strict=False)),
        }
    ]


def _order_moves(_view: View, *clans: str) -> Iterator[Json]:
    yield {"type": "ProposeOrder", "order": [as_number(clan) for clan in clans]}


_GROUNDS = ((REST.kind, False), (FIRING.kind, True))
IMPLIED_MOVES: ImpliedMoves = {
    ("location",): _with("location", "SendClerkBack", "ActivateLocation", "UpgradeOverseer"),
    ("command",): _with("card", "PlayCommand", "ReclaimCard"),
    ("slot",): _with("slot", "LayCommand", "CopyCard"),
    ("tactic",): _with("card", "PlayTactic", "DiscardTactic"),
    ("advisor",): _with("advisor", "DiscardAdvisor", "GiveAdvisor"),
    ("soldier",): _with("soldier", "NameRecruit", "PutShame", "ReturnShame"),
    ("claimed",): _with("card", "PutShame", "ReturnShame"),
    ("spot",): _wound,
    ("request",): _with("request", "DeclareRequest"),
    ("give",): _with("amount", "GiveShare"),
    **{("shown",) * count: _order_moves for count in range(2, 6)},
    ("clerk", "location"): _send_clerk,
    ("location", "location"): _send_clerk,
    ("barricade", "section"): _build("BuildBarricade"),
    ("wall", "section"): _build("BuildWall"),
    ("soldier", "from"): _sacrifice_moves("pool"),
    ("soldier", "firing"): _sacrifice_moves("firing", "section"),
    ("soldier", "horde"): _sacrifice_moves("horde", "card"),
    ("soldier", "rest"): lambda view, soldier, section: [
        {"type": "SendToRest", "soldier": soldier, "section": section},
        *_sacrifice_moves("rest", "section")(view, soldier, section),
    ],
    **{("soldier", "from", *["spot"] * count): _attack_moves for count in (1, 2, 3)},
    **{
        ("soldier", one, other): _march(fired, fires)
        for one, fired in _GROUNDS
        for other, fires in _GROUNDS
    },
}
"""By kinds of touches, the moves that a piece and a place imply."""
POINTING = Pointing(touches=touches, kinds=KINDS, part_of=within, implied_moves=IMPLIED_MOVES)
