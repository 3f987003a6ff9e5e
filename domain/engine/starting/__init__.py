"""Play that starts from a position: of a match, of a worked example, and of a lesson."""
