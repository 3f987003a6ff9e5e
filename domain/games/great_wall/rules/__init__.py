"""The rules in code, by seasons and Locations; `answers` says what can be done when."""
