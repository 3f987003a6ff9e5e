"""Channels to the outside: webhooks, Discord, and what a deleted account leaves in them."""
