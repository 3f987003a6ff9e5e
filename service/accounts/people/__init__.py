"""Other people, as a player sorts them: whom they follow, whom they block, who may meet."""
