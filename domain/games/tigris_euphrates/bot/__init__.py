"""What is good in Tigris & Euphrates, and the four levels of its bots."""

from domain.games.tigris_euphrates.bot.levels import BOTS, LEVELS

__all__ = ["BOTS", "LEVELS"]
