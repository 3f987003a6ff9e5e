"""The pages, one module per subject."""
