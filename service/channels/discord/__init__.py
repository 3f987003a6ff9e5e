"""Annals in Discord: commands and buttons, answered over HTTP."""
