"""What a chat is told of matches: in words, with a picture, and who is called."""
