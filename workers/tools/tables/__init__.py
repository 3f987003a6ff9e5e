"""Exported tables: export, SQL, reports."""
