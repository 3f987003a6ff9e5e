"""The delivery queue of a subscription, its retry schedule, replays and delivery log."""
