"""Positions as JSON: their content, their defaults, and refusals."""

import pytest

from domain.engine.errors import BadPosition
from domain.engine.starting.starts import read_start
from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.hordes import PlacedSoldier
from tests.games.great_wall.game import GAME, legal_moves_of
from tests.support.for_each import for_each

NOBODY = [{}, {}, {}]
KINDS = ("leader", "scouts", "raiders", "axemen")
LEFT = [card.id for card in decks.HORDES.values() if card.set == "base" and card.invasion == "left"]


def read(seats=3, **told):
    setup = GAME.setup(GAME.options(), seats)
    return read_start(GAME, setup, {"game": "great_wall", "clans": NOBODY, **told}, seats)


def test_members_left_out_are_as_at_the_beginning_of_fall():
    """GW-1.2, GW-2.1, GW-7.1"""
    state = read()
    assert state.agenda[-1] == steps.ChooseCommand((0, 1, 2))
    assert [clan.hand for clan in state.clans] == [tuple(decks.COMMANDS)] * 3
    assert state.clans[0].pool == (10, 4, 2)
    assert (state.clans[0].clerks_pool, state.clans[0].clerks_space) == (5, 3)
    assert (state.shame, state.barricades, state.slot) == (30, (3, 3, 3), 0)
    assert len(state.horde_deck) == 24


def test_placed_pieces_and_cards_are_missing_elsewhere():
    """GW-1.2, GW-1.4, GW-10.1"""
    state = read(
        clans=[
            {
                "overseers": {"quarry": {"level": 2, "soldier": "archer"}},
                "rest": {"left": {"spearman": 2}},
                "firing": {"left": 1},
                "shamed": {"spearman": 1},
                "clerks": {"quarry": 2},
                "discard": ["economy"],
                "claimed": [{"card": "leader_left", "shame": 1}],
                "tactics": ["volley"],
                "honor": 4,
            },
            {},
            {},
        ],
        hordes={"left": [{"card": "scouts_left", "spots": {"0,2": "0:spearman", "0,3": "wound"}}]},
    )
    clan = state.clans[0]
    assert clan.pool == (10 - 2 - 1 - 1, 4 - 1 - 1, 2)
    assert (clan.clerks_pool, state.shame) == (3, 28)
    assert (clan.level("quarry"), clan.claimed) == (2, (Claim("leader_left", 1),))
    assert "economy" not in clan.hand
    assert {"scouts_left", "leader_left"}.isdisjoint(state.horde_deck)
    assert "volley" not in state.tactic_deck
    (place,) = state.hordes_on_board()
    assert list(place.horde.soldiers()) == [PlacedSoldier(0, "spearman", 2)]
    assert list(place.horde.free()) == [8, 9]


@pytest.mark.parametrize(
    ("way", "spots"), [("0:horseman:right", (2, 3)), ("0:horseman:down", (2, 8))]
)
def test_a_horseman_is_written_at_its_first_spot(way, spots):
    """GW-10.4"""
    told = {"left": ({"card": "scouts_left", "spots": {"0,2": way}},)}
    (place,) = read(hordes=told).hordes_on_board()
    assert place.horde.spots_of(2) == spots
    assert GAME.write_position(read(hordes=told))["hordes"] == told


def test_the_middle_of_a_turn_can_be_read():
    """GW-6.2, GW-7.3: for forks and recorded matches."""
    step = {"type": "MoveClerks", "seats": [1], "left": 2, "spread": "distinct", "moved": []}
    below = [{"type": "TakeTurn", "slot": 1}, {"type": "RestOfTurn"}]
    track = [{"clan": 0, "card": "economy"}, None, None]
    told = {"agenda": [*below, step], "active": 0, "track": track}
    state = GAME.read_position(
        GAME.setup(GAME.options(), 3), {"game": "great_wall", "clans": NOBODY, **told}, 3
    )
    assert state.agenda[2:] == [clerks.MoveClerks((1,), left=2, spread="distinct")]
    assert moves.MoveClerk(1, "quarry") in legal_moves_of(state, moves.MoveClerk, 1)


def with_first(**own):
    return {"clans": [own, {}, {}]}


def laid(card="scouts_left", spots=None):
    return {"hordes": {"left": [{"card": card, "spots": spots or {}}]}}


OVER = "The game has `ended` or has `winners`. A position begins where a turn begins."
BEGINNING = (
    'A position begins where a turn begins: `agenda` is [{"type":"RevealCommands","seats":[]},'
    '{"type":"ChooseCommand","seats":[0,1,2]}]. To go on from the middle of a turn, fork a match.'
)
NAMES = ", ".join(f"`{row},{column}`" for row in range(2) for column in range(6))
ON_SPOTS = (
    " on this table. Known are `0:horseman:down`, `0:horseman:right`, `0:spearman`,"
    " `1:horseman:down`, `1:horseman:right`, `1:spearman`, `2:horseman:down`,"
    " `2:horseman:right`, `2:spearman`, `wound`."
)
SPOTS = f" on this table. Known are {NAMES}."


@for_each(
    ("told", "reason"),
    [
        ({"clans": [{}, {}]}, "`clans`: Expected 3 items, one for each clan."),
        ({"tea": [0, 1, 1]}, "`tea`: It names something twice."),
        (
            {"slot": 6},
            "`slot`: There is no slot of the Time track 6 on this table."
            " Known are `0`, `1`, `2`, `3`, `4`, `5`.",
        ),
        ({"shame": 31}, "The game does not have that many Shame tokens."),
        ({"walls": {"left": 4}}, "`walls/left`: It is greater than the maximum of 3."),
        ({"barricades": {"left": 4}}, "`barricades/left`: It is greater than the maximum of 3."),
        ({"warehouse": {"chi": 1}}, "`warehouse`: There is no chi in the Warehouse."),
        ({"track": [None]}, "`track`: Expected 3 items, one for each slot of the Command track."),
        ({"tea": [0, 1, 3]}, "`tea/2`: There is no clan 3 on this table. Known are `0`, `1`, `2`."),
        ({"winners": [0]}, OVER),
        ({"ended": "time"}, OVER),
        ({"agenda": []}, BEGINNING),
        (
            {"agenda": [{"type": "ChooseCommand", "seats": [3]}]},
            "`agenda/0/seats/0`: There is no seat 3 on this table. Known are `0`, `1`, `2`.",
        ),
        ({"indicator": "left", "horde_discard": LEFT}, "No card in the deck has this `indicator`."),
        (
            laid("riders_left"),
            "`hordes/left/0/card`: There is no Horde card 'riders_left' on this table.",
        ),
        (laid(spots={"9,9": "wound"}), f"`hordes/left/0/spots/9,9`: There is no spot '9,9'{SPOTS}"),
        (laid(spots={"0,0": "wound"}), "0,0 of scouts_left is not a free Vital spot for this."),
        (
            laid(spots={"0,2": "3:spearman"}),
            f"`hordes/left/0/spots/0,2`: There is no soldier or wound '3:spearman'{ON_SPOTS}",
        ),
        (
            laid(spots={"0,2": "0:archer"}),
            f"`hordes/left/0/spots/0,2`: There is no soldier or wound '0:archer'{ON_SPOTS}",
        ),
        (
            laid(spots={"0,3": "0:horseman:right"}),
            "0,3 of scouts_left is not a free Vital spot for this.",
        ),
        (
            {"hordes": {"left": [{"card": f"{kind}_left"} for kind in KINDS]}},
            "`hordes/left`: It has more than 3 items.",
        ),
        (
            {**laid(), "horde_discard": ["scouts_left"]},
            "`hordes` names something twice.",
        ),
        (
            with_first(tactics=["amnesty"]),
            "`clans/0/tactics/0`: There is no tactic 'amnesty' on this table.",
        ),
        (
            with_first(pool={"spearman": 9}),
            "A clan has 10 Spearmen, 4 Archers, 2 Horsemen.",
        ),
        (with_first(firing={"left": 2}), "left: there is no Firing spot left."),
        (with_first(clerks={"tea_house": 3}), "tea_house: there is no slot left."),
        (
            with_first(clerks_pool=6),
            "`clans/0/clerks_pool`: By the rest of the position, this is `5`.",
        ),
        (with_first(honor=3, counted={"walls": 2}), "`counted` adds up to the `honor`."),
        (
            with_first(overseers={"quarry": {"level": 4, "soldier": "archer"}}),
            "`clans/0/overseers/quarry/level`: It is greater than the maximum of 3.",
        ),
        (
            with_first(overseers={"academy": {"level": 1, "soldier": "archer"}}),
            "`clans/0/overseers/academy`: By the rest of the position, nothing is here.",
        ),
        (
            with_first(hand=["economy", "economy"]),
            "`clans/0/hand`: It names something twice.",
        ),
        (with_first(general="song_ci", hand=[]), "A clan has all six command cards."),
    ],
)
def test_positions_beyond_the_box_are_refused(told, reason):
    """GW-1.2, GW-1.4, GW-6.1, GW-8.8, GW-10.5"""
    with pytest.raises(BadPosition) as refused:
        read(**told)
    assert str(refused.value) == reason


def test_the_two_sections_of_two_players_are_known():
    """GW-1.8"""
    with pytest.raises(BadPosition, match="`walls/left`: There is no Section 'left'"):
        read(2, walls={"left": 1})


@pytest.mark.parametrize("where", [{"rest": {"left": {"spearman": 1}}}, {"firing": {"left": 1}}])
def test_no_soldier_stands_in_a_section_not_in_use(where):
    """GW-1.8"""
    with pytest.raises(BadPosition, match="There is no Section 'left'"):
        read(2, clans=[where, {}, {}])
    assert read(3, clans=[where, {}, {}])
