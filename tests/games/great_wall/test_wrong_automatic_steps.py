"""Automatic steps: valid ones are read, others are refused with a reason."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.play import Step
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.context import NOTHING
from tests.games.great_wall.wrong import (
    ABILITIES,
    ARCHER,
    CLAN,
    CONTEXTS,
    DRILL,
    MOMENTS,
    MOVING,
    NOT_GOT,
    ONE_BATCH,
    PAYING,
    PLACING,
    SEATS,
    SHAME,
    SONG_CI,
    TALLIES,
    WINDOWS,
    Rows,
    refusal,
    up_to_most,
)

AUTOMATIC_STEPS: list[tuple[list[Step], Rows]] = [
    (
        [steps.CommandPart(clan=1, slot=0, part="others")],
        [
            ({"clan": 3}, CLAN),
            ({"clan": -1}, CLAN),
            ({"clan": 0}, "Only parts for others can wait for each other: GW-7.3."),
            ({"part": "first"}, "Only parts for others can wait for each other: GW-7.3."),
            ({"slot": -1}, "There is no command card on this slot."),
            ({"slot": 3}, "There is no command card on this slot."),
            ({"seats": (0,)}, "Only the last step of the `agenda` waits."),
        ],
    ),
    ([steps.Shoot(seat=0, section="left")], [({"seat": 3}, SEATS), ({"seat": -1}, SEATS)]),
    (
        [steps.Snipe(clan=2, section="left", amount=1)],
        [({"clan": 3}, CLAN), *up_to_most("A clan does not have that many Archers.", "amount")],
    ),
    (
        [steps.Plunder(seat=2, amount=1)],
        [({"seat": 3}, SEATS), *up_to_most("No Horde card takes that much.", "amount")],
    ),
    (
        [steps.Fire(trigger="income", clans=(0, 2), context=NOTHING)],
        [
            ({"clans": (0, 3)}, SEATS),
            ({"clans": (1, 1)}, "`clans` names something twice."),
            *CONTEXTS,
        ],
    ),
    (
        [steps.Chain(used=(SONG_CI,))],
        [
            ({"used": (SONG_CI, SONG_CI)}, "`used` names something twice."),
            ({"used": ("moon",)}, "`used` names abilities."),
            ({"apart": True}, "Each event above it must have its own chain."),
            ({"apart": True, "used": ()}, None),
        ],
    ),
    ([steps.Moment(windows=WINDOWS, context=NOTHING)], MOMENTS),
    (
        [clerks.NextActivation(waiting=("academy",))],
        [
            ({"waiting": ()}, "`waiting` must name known things."),
            ({"waiting": ("academy",) * 2}, "`waiting` names something twice."),
        ],
    ),
    (
        [clerks.OfferUpgrade(seat=2, location="quarry")],
        [({"seat": 3}, SEATS), ({"location": "academy"}, "This is not a production Location.")],
    ),
    ([clerks.OfferDonation(seat=2, location="quarry")], [({"seat": 3}, SEATS)]),
    (
        [soldiers.AttackOver(seat=2, tally=soldiers.Tally())],
        [({"seat": 3}, SEATS), *TALLIES],
    ),
    ([soldiers.KillBatch(clan=2)], [({"clan": 3}, CLAN)]),
    (
        [soldiers.Dying(clan=0, doomed=(ARCHER,))],
        [
            ({"clan": 3, "doomed": ()}, CLAN),
            ({"saved": (ARCHER,)}, "The clan has no such soldiers there."),
        ],
    ),
    (
        [
            soldiers.Dying(clan=0, doomed=(ARCHER,)),
            soldiers.Dying(clan=1, doomed=()),
        ],
        [({"clan": 1, "doomed": ()}, ONE_BATCH)],
    ),
    (
        [supply.GainShame(seat=0, left=1)],
        [
            ({"seat": 3}, SEATS),
            *up_to_most(SHAME),
            ({"got": -1}, SHAME),
            ({"got": 1}, NOT_GOT),
        ],
    ),
    (
        [effects.Perform(clan=2, script="tactics/volley/basic")],
        [
            ({"clan": 3}, SEATS),
            ({"counts": 3}, SEATS),
            ({"counts": 2}, None),
            ({"at": -1}, "`at` is not an operation in it."),
            ({"at": 1}, "`at` is not an operation in it."),
        ],
    ),
    (
        [effects.PlayReactions(left=(0,), windows=WINDOWS, context=NOTHING)],
        [
            *MOMENTS,
            ({"left": (0, 0)}, "`left` names something twice."),
            ({"left": (1,)}, "Only seats that were asked can play cards."),
            ({"left": ()}, None),
        ],
    ),
]
"""Automatic steps, with changes of the first."""
BOUGHT: list[tuple[list[Step], Rows]] = [
    (
        [clerks.UpgradeNow(seat=0, location="quarry", soldier=None)],
        [
            ({"seat": 3}, SEATS),
            ({"location": "academy"}, "This is not a production Location."),
            ({"location": "temple"}, "Only a new Overseer needs a `soldier`."),
            ({"location": "temple", "soldier": "archer"}, None),
            ({"soldier": "archer"}, "Only a new Overseer needs a `soldier`."),
        ],
    ),
    ([clerks.BuildNow(seat=2, section="left", wall=True)], [({"seat": 3}, SEATS)]),
    (
        [clerks.HireNow(seat=2)],
        [
            ({"seat": 3}, SEATS),
            ({"advisor": "spy"}, None),
            ({"advisor": "fletcher"}, "This clerk or advisor cannot be hired."),
        ],
    ),
]
"""Steps that a player is paying for."""
GETTING = supply.GainShame(seat=0, left=1, got=1)
GOT: Rows = [
    ({"got": 3}, None),  # one more token is to be placed
    ({"got": 4}, NOT_GOT),
    ({"left": 38, "got": 3}, SHAME),
    ({"left": 37, "got": 3}, None),
]
WAITING = effects.UseAbilities(clan=0, waiting=(SONG_CI, DRILL), context=NOTHING)
USES: Rows = [
    *ABILITIES,
    ({"clan": 3}, SEATS),
    ({"clan": 1}, "`waiting` must name known things."),
    ({"clan": 1, "waiting": ("generals/wan_yi/0",)}, None),
]
CASES = [
    *[
        ([replace(below[0], **told), *below[1:], above], reason)
        for cases, above in ((AUTOMATIC_STEPS, MOVING), (BOUGHT, PAYING))
        for below, rows in cases
        for told, reason in rows
    ],
    *[([replace(GETTING, **told), PLACING], reason) for told, reason in GOT],
    (
        [supply.GainShame(seat=0, left=1), steps.Ask(step=PLACING), GETTING, PLACING],
        "The seat must be getting a token: GW-11.2.",
    ),
    *[([steps.Chain(), replace(WAITING, **told), MOVING], reason) for told, reason in USES],
    ([WAITING, MOVING], "Abilities can be used only in a chain."),
    ([WAITING, steps.Chain(), MOVING], "Abilities can be used only in a chain."),
    ([steps.Chain(apart=True), WAITING, MOVING], "Abilities can be used only in a chain."),
    (
        [soldiers.Slay(clan=2, card="scouts_left"), MOVING],
        "Soldiers die only on a defeated Horde card.",
    ),
    ([soldiers.Slay(clan=3, card="scouts_left"), MOVING], CLAN),
]
RIGHT = [
    *[[*below, MOVING] for below, _ in AUTOMATIC_STEPS],
    *[[*below, PAYING] for below, _ in BOUGHT],
    [steps.Chain(), WAITING, MOVING],
    [GETTING, PLACING],
]


@pytest.mark.parametrize(("above", "reason"), CASES)
def test_a_step_is_read_or_refused_with_a_reason(above, reason):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) == reason


@pytest.mark.parametrize("above", RIGHT)
def test_the_unchanged_steps_are_read(above):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) is None
