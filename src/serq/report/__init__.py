"""What a run gives: the measurements an engine fills, and the report a person reads."""
