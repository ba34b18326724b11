"""Experiments: evaluate, score, the run they give, and the plan that repeats them."""

from prequential.experiment.evaluate import LearnerFailedWarning, evaluate
from prequential.experiment.run import Run, load
from prequential.experiment.score import score, score_files

__all__ = ["LearnerFailedWarning", "Run", "evaluate", "load", "score", "score_files"]
