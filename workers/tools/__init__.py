"""Tools for people at a terminal: audit, show, arena, demonstration, rebuild."""
