"""Why something cannot run, said to the person at the terminal."""


class CannotRun(Exception):
    """One clear sentence; whoever sees it can do something about it."""
