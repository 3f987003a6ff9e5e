"""The value of a cooperative table for all its players, in Requests: GW-16.2, GW-16.12."""

from __future__ import annotations

from statistics import fmean

from domain.games.great_wall.bot import demands, outlook
from domain.games.great_wall.state.table import State

MAX_USEFUL_HONOR = 40
"""More honor of a player than this hardly helps."""
FEATURES = (
    "always",
    "years",
    "years that the shame lasts",
    "shame in the pool, for each player",
    "requests that are met",
    "progress of the others",
    "material",
    "chi",
    "honor",
    "overseer levels, for each year",
    "clerks, for each year",
    "advisors",
    "fewest advisors",
    "tactic cards",
    "archers in firing spots",
    "soldiers under shame",
    "soldiers that rest",
    "command cards in hand",
    "wall levels",
    "horde cards",
    "breaches in sight",
    "nothing dealt yet",
)
VICTORY_VALUE = 25.0
WEIGHTS: dict[str, float] = {
    "always": -0.32,
    "years": -0.38,
    "years that the shame lasts": -0.30,
    "shame in the pool, for each player": 0.34,
    "requests that are met": 0.77,
    "progress of the others": 0.37,
    "material": 0.04,
    "chi": 0.02,
    "honor": 0.01,
    "overseer levels, for each year": 0.07,
    "clerks, for each year": -0.06,
    "advisors": 0.09,
    "fewest advisors": 0.13,
    "tactic cards": 0.04,
    "archers in firing spots": -0.18,
    "soldiers under shame": -0.01,
    "soldiers that rest": 0.03,
    "command cards in hand": 0.61,
    "wall levels": -0.03,
    "horde cards": -0.24,
    "breaches in sight": -0.04,
    "nothing dealt yet": 5.56,
}
"""How many Requests each adds until the end: `python -m bench.rules.weights --mode coop`."""
_IN_ORDER = tuple(WEIGHTS[name] for name in FEATURES)


def evaluate(state: State) -> float:
    """The expected number of Requests above those needed; a victory is worth more than any."""
    ahead = len(state.fulfilled) - state.setup.table.requests_to_win
    if state.ended is not None:
        return ahead + (VICTORY_VALUE if state.ended == "requests" else -VICTORY_VALUE)
    terms = zip(_IN_ORDER, compute_features(state), strict=True)
    return ahead + sum(weight * number for weight, number in terms)


def compute_features(state: State) -> tuple[float, ...]:
    """The features of the table, averaged over its players, in the order of NAMES."""
    clans = state.clans[: state.seats]
    years = len(state.setup.slots) - 1 - state.slot
    progress = [demands.measure_progress(state, request) for request in state.requests]
    met = sum(part == 1 for part in progress)
    levels = fmean(sum(one.level for one in clan.overseers if one) for clan in clans)
    return (
        1.0,
        years,
        outlook.years_left(state),
        state.shame / state.seats,
        met,
        sum(progress) - met,
        fmean(min(sum(clan.resources[:3]), outlook.MAX_USEFUL_RESOURCES) for clan in clans),
        fmean(min(clan.has("chi"), outlook.MAX_USEFUL_RESOURCES) for clan in clans),
        fmean(min(clan.honor, MAX_USEFUL_HONOR) for clan in clans),
        levels * years,
        fmean(clan.clerks_owned for clan in clans) * years,
        fmean(clan.advisors for clan in clans),
        min(clan.advisors for clan in clans),
        fmean(len(clan.tactics) for clan in clans),
        fmean(sum(clan.firing) for clan in clans),
        fmean(sum(clan.shamed) for clan in clans),
        fmean(sum(map(sum, clan.rest)) for clan in clans),
        fmean(len(clan.hand) for clan in clans),
        sum(state.walls),
        sum(map(len, state.hordes)),
        fmean(sum(outlook.count_breach_tokens(state, seat)) for seat in range(state.seats)),
        outlook.is_before_deal(state),
    )
