"""Playing a match and opening a table with Discord menus and options."""
