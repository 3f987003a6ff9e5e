"""What players plan for a match, beside its entries."""
