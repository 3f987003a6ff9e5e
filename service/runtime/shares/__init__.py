"""Shares of what callers compete for: turns, slots and memory."""
