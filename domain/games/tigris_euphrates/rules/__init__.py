"""The rules in code, one file per chapter of RULES.md; `answers` lists the moves of each step."""
