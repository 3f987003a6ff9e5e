"""Commands for the store: backup, restore, archive, loss."""
