"""Where requests come in: connections and their deadlines, and the application on an event loop."""
