"""The page: what people see in a browser, as HTML from here and enriched by small modules."""
