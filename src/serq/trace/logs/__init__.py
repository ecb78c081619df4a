"""Request logs of other tools, a module a format, read one request at a time."""
