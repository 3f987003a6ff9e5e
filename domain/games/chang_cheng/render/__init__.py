"""The table as a picture and as text, drawn from what a viewer may know."""
