"""Summaries of matches for chats: sentences, a picture, and mentions."""
