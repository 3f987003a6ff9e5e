"""Play that starts from a position: of a match, and of a worked example."""
