"""What every process needs: settings, logs, metrics, the event loop, async Redis, outgoing HTTP."""
