"""The setup: chapters 1, 2 and 17."""

from domain.engine.dice import Luck
from domain.engine.game import begin
from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course, hordes
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.clans import Leaders
from domain.games.great_wall.state.setup import Options, setup
from tests.games.great_wall.course import after
from tests.games.great_wall.game import GAME, events_of, new_table, of, refusal_of
from tests.support.for_each import for_each

SEATS = range(2, 6)


def choose(state, seat, general=0, active=0):
    """The leaders that a seat keeps, by their index in what it was dealt."""
    clan = state.clans[seat]
    return moves.KeepLeaders(seat, clan.dealt_generals[general], clan.dealt_advisors[active])


def new_game(seats, dice=None, **options):
    """A table after all chose their leaders."""
    state = new_table(seats, dice, **options)
    for seat in range(seats):
        state = after(state, choose(state, seat), dice=dice)
    return state


@for_each(
    ("seats", "side", "sections", "shame", "hordes_laid", "pool", "space", "slots"),
    [
        (2, "2-3", 2, 20, 2, 5, 3, 3),
        (3, "2-3", 3, 30, 3, 5, 3, 3),
        (4, "4-5", 3, 40, 4, 5, 3, 4),
        (5, "4-5", 3, 50, 5, 4, 4, 5),
    ],
)
def test_the_numbers_depend_on_the_players(
    seats, side, sections, shame, hordes_laid, pool, space, slots
):
    """GW-1.1, GW-1.2, GW-2.1, GW-2.6, GW-2.7, GW-2.10, GW-15.1, GW-17.1"""
    state = new_table(seats)
    table = state.setup.table
    assert (table.side, len(table.sections)) == (side, sections)
    assert (state.shame, len(state.track)) == (shame, slots)
    assert len(list(state.hordes_on_board())) == hordes_laid
    assert [state.barricades_in(section) for section in table.sections] == [3] * sections
    assert sum(state.walls) == sum(state.warehouse) == 0
    for clan in state.clans[:seats]:
        assert (clan.clerks_pool, clan.clerks_space, clan.pool) == (pool, space, (10, 4, 2))
        assert clan.honor == 0


def test_five_begin_a_year_later_with_further_cards():
    """GW-2.3, GW-17.1"""
    five, four = new_table(5), new_table(4)
    assert (five.slot, five.year, four.slot, four.year) == (1, 2, 0, 1)
    assert len(five.setup.slots) - five.slot == 4
    for name in ("generals", "advisors", "tactics"):
        assert len(getattr(five.setup, name)) == len(getattr(four.setup, name)) + 4


def test_further_horde_cards_and_artifacts_are_an_option():
    """GW-2.4"""
    few, many = (setup(Options(extended_decks=on), 3) for on in (False, True))
    assert (len(few.hordes), len(many.hordes)) == (24, 36)
    assert (len(few.artifacts), len(many.artifacts)) == (5, 8)


def test_two_players_leave_out_the_left_section():
    """GW-1.8, GW-2.5"""
    state = new_table(2)
    assert {decks.HORDES[card].invasion for card in state.setup.hordes} == {"center", "right"}
    assert state.barricades_in("left") == 0


@for_each("seats", SEATS)
def test_three_artifacts_lie_open(seats):
    """GW-2.2"""
    state = new_table(seats)
    assert len(set(state.artifacts)) == 3
    assert set(state.artifacts) <= set(state.setup.artifacts)


def test_horde_cards_come_to_empty_sections_first():
    """GW-2.6"""
    placed = of(hordes.HordePlaced, _opening(4))
    assert [event.section for event in placed[:3]] == list(board.SECTIONS)
    assert placed[3].row == 1


def test_a_section_that_is_full_in_the_setup_is_raided():
    """GW-2.6, GW-5.2, GW-5.3: five together, if the last three cards point to one Section."""
    raided = []
    for seed in range(20):
        events = _opening(5, Luck(seed), mode="coop")
        drawn = of(hordes.HordeDrawn, events)
        placed, raids = of(hordes.HordePlaced, events), of(hordes.RaidMade, events)
        pointed = {one.indicator for one in drawn[3:]}
        assert len(placed) + len(raids) == 6
        assert bool(raids) == (len(pointed) == 1)
        assert raids == [hordes.RaidMade(drawn[5].card, section, 5) for section in pointed if raids]
        raided += raids
    assert raided


def _opening(seats, dice=None, **options):
    return begin(GAME, GAME.setup(GAME.options(**options), seats), seats, dice or Luck())


def test_each_is_dealt_two_generals_and_two_advisors():
    """GW-2.8"""
    state = new_table(3)
    dealt = [card for clan in state.clans for card in (*clan.dealt_generals, *clan.dealt_advisors)]
    assert len(set(dealt)) == len(dealt) == 12
    assert state.agenda[-1] == steps.ChooseLeaders((0, 1, 2))
    foreign = moves.KeepLeaders(0, state.clans[1].dealt_generals[0], dealt[2])
    assert refusal_of(state, foreign) == ("GW-2.8", "not_dealt")


def test_leaders_are_secret_until_all_have_chosen():
    """GW-2.8"""
    state = new_table(2)
    first = events_of(state, choose(state, 1))
    assert [type(event) for event in first] == [course.LeadersChosen]
    state = after(state, choose(state, 1))
    assert state.clans[1].general == ""
    last = events_of(state, choose(state, 0))
    assert [event.seat for event in of(course.LeadersRevealed, last)] == [0, 1]


def test_the_kept_general_brings_resources_and_tactic_cards():
    """GW-2.9, GW-2.11, GW-2.13, GW-3.1"""
    before = new_table(3)
    kept = [before.clans[seat].dealt_generals[0] for seat in range(3)]
    state = new_game(3)
    for clan, general, dealt in zip(state.clans, kept, before.clans, strict=True):
        brings = decks.GENERALS[general].setup
        assert clan.general == general
        assert (*clan.active, *clan.supporting) == dealt.dealt_advisors
        assert clan.resources == tuple(getattr(brings, name) for name in board.RESOURCES)
        assert len(clan.tactics) == brings.tactics
        assert clan.hand == tuple(decks.COMMANDS)
    assert len(state.advisors) == 4
    assert state.general_deck == ()
    assert (state.season, state.agenda[-1]) == ("fall", steps.ChooseCommand((0, 1, 2)))


def test_abilities_answer_the_end_of_the_setup_in_tea_order():
    """GW-1.3, GW-2.13"""
    state = new_table(2)
    for clan, general in zip(state.clans, ("wen_tianxiang", "qin_hui"), strict=False):
        clan.leaders = Leaders(general, *clan.dealt_advisors)
    ANSWERS.run_step(Play(state, Luck()), state.agenda[0])
    (fire,) = (step for step in state.agenda if isinstance(step, steps.Fire))
    assert (fire.trigger, fire.clans, state.tea) == ("setup_done", (1, 0), (1, 0, 2))


@for_each("seats", SEATS)
def test_the_highest_number_is_first_in_tea_order(seats):
    """GW-1.3, GW-2.12, GW-15.2"""
    state = new_game(seats)
    numbers = [decks.GENERALS[state.clans[seat].general].setup.tea for seat in state.players]
    assert numbers == sorted(numbers, reverse=True)
    assert state.tea == (*state.players, *(() if state.reed is None else (state.reed,)))
