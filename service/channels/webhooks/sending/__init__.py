"""Sending deliveries: one attempt after another, with retries."""
