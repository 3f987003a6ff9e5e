"""The children of a process: how they are forked, how they end, and what memory they take."""
