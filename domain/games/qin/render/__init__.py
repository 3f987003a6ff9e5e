"""The table as a picture and as text, drawn from a view."""
