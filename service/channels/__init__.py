"""Channels to other services: webhooks and Discord; and the deletion of accounts."""
