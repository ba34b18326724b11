"""Streams written to files."""

from prequential.streams.writers.write import Written, write

__all__ = ["Written", "write"]
