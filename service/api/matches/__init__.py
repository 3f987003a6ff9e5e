"""Routes for matches: tables, moves, undo, events, pictures, audit and analysis."""
