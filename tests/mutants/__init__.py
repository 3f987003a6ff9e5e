"""Mutation testing of a game's rules: `make mutants GAME=qin`."""
