"""What players choose about notices, for all channels and for single matches."""
