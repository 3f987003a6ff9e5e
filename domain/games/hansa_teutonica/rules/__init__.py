"""The rules in code, a file for each chapter of RULES.md; `answers` lists moves and their steps."""
