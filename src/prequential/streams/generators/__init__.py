"""Streams made by formula, record by record from a seed."""

from prequential.streams.generators.sea import SEA

__all__ = ["SEA"]
