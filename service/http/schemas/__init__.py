"""Schemas of request bodies and queries, as openapi.yaml has them."""
