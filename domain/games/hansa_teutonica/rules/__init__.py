"""The rules in code, a file for each chapter of RULES.md; `answers` says what can be done when."""
