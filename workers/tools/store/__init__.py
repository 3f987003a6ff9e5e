"""Commands for the stored data: backup, restore, archive, accept-loss."""
