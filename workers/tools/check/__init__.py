"""Commands that check a store: verify, replay, show, tlog."""
