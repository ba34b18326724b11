"""The report of a run: one HTML page, one module per section."""
