"""Answers to slash commands, buttons, menus and autocompletion."""
