"""Hansa Teutonica as a picture and as text, from a view."""
