"""The web server: connections and their deadlines, and the application on an event loop."""
