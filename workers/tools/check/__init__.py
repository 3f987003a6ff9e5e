"""Commands that show and verify matches, the store and the transparency log."""
