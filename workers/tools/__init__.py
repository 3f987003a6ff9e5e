"""Tools for operators and analysts at a terminal: audit, show, arena, demonstration, rebuild."""
