"""Webhooks: subscriptions of players, and the delivery of notices to their addresses."""
