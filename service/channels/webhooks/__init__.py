"""Webhooks: who wants to be told what at which address, and how it is told."""
