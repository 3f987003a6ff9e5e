"""The parts of an export: schema, rows, formats, folders, pseudonyms."""
