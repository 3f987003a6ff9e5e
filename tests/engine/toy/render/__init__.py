"""The table as text and as a picture, from what a viewer may know."""
