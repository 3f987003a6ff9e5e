"""Tools for people at a terminal: audit, arena, demonstration, rebuild."""
