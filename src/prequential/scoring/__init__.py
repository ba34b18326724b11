"""Predictions made elsewhere, as sources for the driver."""
