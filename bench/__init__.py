"""Speed, measured side by side: `python -m bench.compare`."""
