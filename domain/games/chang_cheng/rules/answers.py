"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal, always, only
from domain.engine.play import Step
from domain.games.chang_cheng import moves
from domain.games.chang_cheng.rules import actions, cards, emperor, neutral, regions, turns
from domain.games.chang_cheng.state import steps
from domain.games.chang_cheng.state.table import State

# Tables are read by their columns, so they are laid out by hand. Each stands by itself: only so are
# the types of every row checked.
# fmt: off
ROWS = (
    Answer(steps.FirstTurn,     moves.BuildSingle,    actions.singles,            actions.check_single,             actions.build_first),
    Answer(steps.Turn,          moves.BuildSingle,    actions.singles,            actions.check_single,             actions.build_single),
    Answer(steps.Turn,          moves.BuildDouble,    actions.doubles,            actions.check_double,             actions.build_double),
    Answer(steps.Turn,          moves.BuildTower,     actions.towers,             actions.check_tower,              actions.build_tower),
    Answer(steps.Turn,          moves.LayCard,        actions.cards,              actions.check_card,               actions.lay_card),
    Answer(steps.SecondSingle,  moves.BuildSingle,    actions.singles,            actions.check_second_single,      actions.build_second),
    Answer(steps.AfterCard,     moves.LayCard,        actions.cards,              actions.check_second_card,        actions.lay_second),
    Answer(steps.AfterCard,     moves.BuildSingle,    actions.singles,            actions.check_single_beside_card, actions.build_beside_card),
    Answer(steps.AfterCard,     moves.EndAction,      only(moves.EndAction),      actions.check_end,                actions.end_action),
    Answer(steps.OfferNeutral,  moves.DeclineNeutral, only(moves.DeclineNeutral), always,                           neutral.decline),
    Answer(steps.OfferNeutral,  moves.BuildNeutral,   neutral.singles,            neutral.check_offered,            neutral.build),
    Answer(steps.ForcedNeutral, moves.BuildNeutral,   neutral.singles,            neutral.check_forced,             neutral.build),
    Answer(steps.ChooseOrder,   moves.ScoreFirst,     regions.orders,             regions.check_order,              regions.choose_order),
    Answer(steps.UseCard,       moves.DeclineCard,    cards.declines,             cards.check_decline,              cards.decline),
    Answer(steps.UseCard,       moves.StrikeCard,     cards.strikes,              cards.check_strike,               cards.strike),
    Answer(steps.UseCard,       moves.DestroyWall,    cards.targets,              cards.check_target,               cards.destroy_wall),
    Answer(steps.UseCard,       moves.RemoveThreat,   cards.threats,              cards.check_threat,               cards.remove_threat),
    Answer(steps.UseCard,       moves.ChangeValue,    cards.changes,              cards.check_change,               cards.change_value),
    Answer(steps.UseCard,       moves.AddWall,        cards.plans,                cards.check_plan,                 cards.add_wall),
    Answer(steps.UseCard,       moves.SwapWalls,      cards.swaps,                cards.check_swap,                 cards.swap_walls),
    Answer(steps.Extend,        moves.ExtendWall,     emperor.boards,             emperor.check_board,              emperor.extend),
)
OTHERWISE: dict[type[Step], Refusal] = {
    steps.FirstTurn:     Refusal("CC-3.2", "not_now"),
    steps.Turn:          Refusal("CC-3.1", "not_now"),
    steps.SecondSingle:  Refusal("CC-4.1", "not_now"),
    steps.AfterCard:     Refusal("CC-4.3", "not_now"),
    steps.OfferNeutral:  Refusal("CC-11.2", "not_now"),
    steps.ForcedNeutral: Refusal("CC-11.6", "not_now"),
    steps.ChooseOrder:   Refusal("CC-6.2", "not_now"),
    steps.UseCard:       Refusal("CC-7.1", "not_now"),
    steps.Extend:        Refusal("CC-8.2", "not_now"),
}
CHORES = (
    Chore(steps.NextTurn, turns.next_turn),
    Chore(steps.Second,   actions.second),
    Chore(steps.Neutral,  neutral.offer),
    Chore(steps.Score,    regions.score),
    Chore(steps.NextCard, cards.next_card),
    Chore(steps.Majority, regions.majority),
)
# fmt: on
ANSWERS = Answers[State](ROWS, OTHERWISE, CHORES)
"""What can be done when: CC-3.1; the numbers of the rules are in the refusals."""
