"""The web page: HTML rendered here, which small JavaScript modules enhance."""
