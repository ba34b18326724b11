"""The driver: it passes the records of a source to the learners of a run once, and records the results."""
