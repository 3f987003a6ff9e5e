"""The rules of a game: the numbered book with drawn examples, the player aid, and the search."""
