"""Decisions: each turns a command into the events of one entry, or refuses it."""
