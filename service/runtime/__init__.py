"""What a process needs: settings, log, metrics, event loop, Redis on that loop, outgoing HTTP."""
