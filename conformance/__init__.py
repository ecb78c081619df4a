"""The conformance suite: prose with programs in it, and the code that runs it on an engine."""
