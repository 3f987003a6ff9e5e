"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback, allow_any, offer_only
from domain.engine.play import Step
from domain.games.chang_cheng import moves
from domain.games.chang_cheng.rules import actions, cards, emperor, neutral, regions, turns
from domain.games.chang_cheng.state import steps
from domain.games.chang_cheng.state.table import State

# The tables are aligned by hand, because people read them by column. Each table is a statement of
# its own so that mypy checks the types of every row.
# fmt: off
ROWS = (
    Answer(steps.FirstTurn,     moves.BuildSingle,    actions.singles,                  actions.check_single,             actions.build_first,       exact=True),
    Answer(steps.Turn,          moves.BuildSingle,    actions.singles,                  actions.check_single,             actions.build_single,      exact=True),
    Answer(steps.Turn,          moves.BuildDouble,    actions.doubles,                  actions.check_double,             actions.build_double,      exact=True),
    Answer(steps.Turn,          moves.BuildTower,     actions.towers,                   actions.check_tower,              actions.build_tower,       exact=True),
    Answer(steps.Turn,          moves.LayCard,        actions.cards,                    actions.check_card,               actions.lay_card,          exact=True),
    Answer(steps.SecondSingle,  moves.BuildSingle,    actions.second_singles,           actions.check_second_single,      actions.build_second,      exact=True),
    Answer(steps.AfterCard,     moves.LayCard,        actions.second_cards,             actions.check_second_card,        actions.lay_second,        exact=True),
    Answer(steps.AfterCard,     moves.BuildSingle,    actions.singles_beside_card,      actions.check_single_beside_card, actions.build_beside_card, exact=True),
    Answer(steps.AfterCard,     moves.EndAction,      actions.ends,                     actions.check_end,                actions.end_action,        exact=True),
    Answer(steps.OfferNeutral,  moves.DeclineNeutral, offer_only(moves.DeclineNeutral), allow_any,                        neutral.decline,           exact=True),
    Answer(steps.OfferNeutral,  moves.BuildNeutral,   neutral.offered,                  neutral.check_offered,            neutral.build,             exact=True),
    Answer(steps.ForcedNeutral, moves.BuildNeutral,   neutral.forced,                   neutral.check_forced,             neutral.build,             exact=True),
    Answer(steps.ChooseOrder,   moves.ScoreFirst,     regions.orders,                   regions.check_order,              regions.choose_order,      exact=True),
    Answer(steps.UseCard,       moves.DeclineCard,    cards.declines,                   cards.check_decline,              cards.decline,             exact=True),
    Answer(steps.UseCard,       moves.StrikeCard,     cards.strikes,                    cards.check_strike,               cards.strike,              exact=True),
    Answer(steps.UseCard,       moves.DestroyWall,    cards.targets,                    cards.check_target,               cards.destroy_wall,        exact=True),
    Answer(steps.UseCard,       moves.RemoveThreat,   cards.threats,                    cards.check_threat,               cards.remove_threat,       exact=True),
    Answer(steps.UseCard,       moves.ChangeValue,    cards.changes,                    cards.check_change,               cards.change_value,        exact=True),
    Answer(steps.UseCard,       moves.AddWall,        cards.plans,                      cards.check_plan,                 cards.add_wall,            exact=True),
    Answer(steps.UseCard,       moves.SwapWalls,      cards.swaps,                      cards.check_swap,                 cards.swap_walls,          exact=True),
    Answer(steps.Extend,        moves.ExtendWall,     emperor.boards,                   emperor.check_board,              emperor.extend,            exact=True),
)
FALLBACKS: dict[type[Step], Fallback] = {
    steps.FirstTurn:     Fallback("CC-3.2", "not_now"),
    steps.Turn:          Fallback("CC-3.1", "not_now"),
    steps.SecondSingle:  Fallback("CC-4.1", "not_now"),
    steps.AfterCard:     Fallback("CC-4.3", "not_now"),
    steps.OfferNeutral:  Fallback("CC-11.2", "not_now"),
    steps.ForcedNeutral: Fallback("CC-11.6", "not_now"),
    steps.ChooseOrder:   Fallback("CC-6.2", "not_now"),
    steps.UseCard:       Fallback("CC-7.1", "not_now"),
    steps.Extend:        Fallback("CC-8.2", "not_now"),
}
AUTOMATIC_STEPS = (
    AutomaticStep(steps.NextTurn, turns.next_turn),
    AutomaticStep(steps.Second,   actions.second),
    AutomaticStep(steps.Neutral,  neutral.offer),
    AutomaticStep(steps.Score,    regions.score),
    AutomaticStep(steps.NextCard, cards.next_card),
    AutomaticStep(steps.Majority, regions.majority),
)
# fmt: on
ANSWERS = Answers[State](ROWS, FALLBACKS, AUTOMATIC_STEPS)
"""The moves of each step: CC-3.1; the refusals cite the rules."""
