"""The analysis: what can be learnt from matches that are over."""
