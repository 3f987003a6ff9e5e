"""Steps that need nobody: what they can say is read, and the rest is refused in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.play import Step
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.steps import clerks, effects, soldiers, supply, year
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

CHORES: list[tuple[list[Step], Rows]] = [
    (
        [year.CommandPart(clan=1, slot=0, part="others")],
        [
            ({"clan": 3}, CLAN),
            ({"clan": -1}, CLAN),
            ({"clan": 0}, "Only others' parts wait for each other: GW-7.3."),
            ({"part": "first"}, "Only others' parts wait for each other: GW-7.3."),
            ({"slot": -1}, "No command card lies there."),
            ({"slot": 3}, "No command card lies there."),
            ({"seats": (0,)}, "Only the last step of the `agenda` waits."),
        ],
    ),
    ([year.Shoot(seat=0, section="left")], [({"seat": 3}, SEATS), ({"seat": -1}, SEATS)]),
    (
        [year.Snipe(clan=2, section="left", amount=1)],
        [({"clan": 3}, CLAN), *up_to_most("So many Archers there are not.", "amount")],
    ),
    (
        [year.Plunder(seat=2, amount=1)],
        [({"seat": 3}, SEATS), *up_to_most("So much is never lost.", "amount")],
    ),
    (
        [year.Fire(trigger="income", clans=(0, 2), context=NOTHING)],
        [
            ({"clans": (0, 3)}, SEATS),
            ({"clans": (1, 1)}, "`clans` names something twice."),
            *CONTEXTS,
        ],
    ),
    (
        [year.Chain(used=(SONG_CI,))],
        [
            ({"used": (SONG_CI, SONG_CI)}, "`used` names something twice."),
            ({"used": ("moon",)}, "`used` names abilities."),
            ({"apart": True}, "Above it each event has a chain of its own."),
            ({"apart": True, "used": ()}, None),
        ],
    ),
    ([year.Moment(windows=WINDOWS, context=NOTHING)], MOMENTS),
    (
        [clerks.NextActivation(waiting=("academy",))],
        [
            ({"waiting": ()}, "`waiting` names what is there."),
            ({"waiting": ("academy",) * 2}, "`waiting` names something twice."),
        ],
    ),
    (
        [clerks.OfferUpgrade(seat=2, location="quarry")],
        [({"seat": 3}, SEATS), ({"location": "academy"}, "Nothing is produced there.")],
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
            ({"saved": (ARCHER,)}, "No such soldiers of theirs stand there."),
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
            ({"at": -1}, "`at` is no operation there."),
            ({"at": 1}, "`at` is no operation there."),
        ],
    ),
    (
        [effects.PlayReactions(left=(0,), windows=WINDOWS, context=NOTHING)],
        [
            *MOMENTS,
            ({"left": (0, 0)}, "`left` names something twice."),
            ({"left": (1,)}, "Only those who were asked play cards."),
            ({"left": ()}, None),
        ],
    ),
]
"""Steps that need nobody, the first of which is told otherwise."""
BOUGHT: list[tuple[list[Step], Rows]] = [
    (
        [clerks.UpgradeNow(seat=0, location="quarry", soldier=None)],
        [
            ({"seat": 3}, SEATS),
            ({"location": "academy"}, "Nothing is produced there."),
            ({"location": "temple"}, "A soldier becomes the first Overseer."),
            ({"location": "temple", "soldier": "archer"}, None),
            ({"soldier": "archer"}, "A soldier becomes the first Overseer."),
        ],
    ),
    ([clerks.BuildNow(seat=2, section="left", wall=True)], [({"seat": 3}, SEATS)]),
    (
        [clerks.HireNow(seat=2)],
        [
            ({"seat": 3}, SEATS),
            ({"advisor": "spy"}, None),
            ({"advisor": "fletcher"}, "Nobody like that can be hired."),
        ],
    ),
]
"""What is being paid."""
GETTING = supply.GainShame(seat=0, left=1, got=1)
GOT: Rows = [
    ({"got": 3}, None),  # one of them is still to be placed
    ({"got": 4}, NOT_GOT),
    ({"left": 38, "got": 3}, SHAME),
    ({"left": 37, "got": 3}, None),
]
WAITING = effects.UseAbilities(clan=0, waiting=(SONG_CI, DRILL), context=NOTHING)
USES: Rows = [
    *ABILITIES,
    ({"clan": 3}, SEATS),
    ({"clan": 1}, "`waiting` names what is there."),
    ({"clan": 1, "waiting": ("generals/wan_yi/0",)}, None),
]
TOLD = [
    *[
        ([replace(below[0], **told), *below[1:], above], reason)
        for chores, above in ((CHORES, MOVING), (BOUGHT, PAYING))
        for below, rows in chores
        for told, reason in rows
    ],
    *[([replace(GETTING, **told), PLACING], reason) for told, reason in GOT],
    (
        [supply.GainShame(seat=0, left=1), year.Ask(step=PLACING), GETTING, PLACING],
        "They get a token: GW-11.2.",
    ),
    *[([year.Chain(), replace(WAITING, **told), MOVING], reason) for told, reason in USES],
    ([WAITING, MOVING], "Abilities are used in a chain."),
    ([WAITING, year.Chain(), MOVING], "Abilities are used in a chain."),
    ([year.Chain(apart=True), WAITING, MOVING], "Abilities are used in a chain."),
    (
        [soldiers.Slay(clan=2, card="scouts_left"), MOVING],
        "Nobody dies on a Horde card that is not defeated.",
    ),
    ([soldiers.Slay(clan=3, card="scouts_left"), MOVING], CLAN),
]
RIGHT = [
    *[[*below, MOVING] for below, _ in CHORES],
    *[[*below, PAYING] for below, _ in BOUGHT],
    [year.Chain(), WAITING, MOVING],
    [GETTING, PLACING],
]


@pytest.mark.parametrize(("above", "reason"), TOLD)
def test_what_a_step_says_is_read_or_refused_in_words(above, reason):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) == reason


@pytest.mark.parametrize("above", RIGHT)
def test_what_is_told_otherwise_here_is_right_as_it_was(above):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) is None
