"""The operations of cards, each a small function; `perform` finds the one that a card names."""
