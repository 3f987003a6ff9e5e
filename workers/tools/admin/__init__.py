"""Commands for operators: administration, erasure, Discord registration."""
