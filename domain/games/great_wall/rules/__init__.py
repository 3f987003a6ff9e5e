"""The rules in code, by season and Location; `answers` lists which moves answer which steps."""
