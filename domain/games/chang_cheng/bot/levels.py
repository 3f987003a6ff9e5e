"""The four levels of the bots of Chang Cheng, the weakest first: CC-13.3."""

from __future__ import annotations

from domain.engine.bots import greedy_bot
from domain.engine.game import Level
from domain.games.chang_cheng.bot.evaluation import china_only
from domain.games.chang_cheng.bot.search import any_kind, mindful, thinking_ahead

LEVELS = (
    Level("labourer", "Beginner", any_kind),
    Level("mason", "Easy", greedy_bot(china_only)),
    Level("general", "Skilled", mindful),
    Level("meng_tian", "Strong", thinking_ahead(candidates=8, samples=4), deep=True),
)
