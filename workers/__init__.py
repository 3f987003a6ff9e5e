"""The processes: projector and jobs; the machine they run on (host); tools at a terminal."""
