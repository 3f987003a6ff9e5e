"""The table as a picture and as text, from what a viewer may know."""
