"""The parts of an export: feeds, rows, formats, folders."""
