"""Routes for webhooks, Discord and change streams."""
