"""Experiments: evaluate, score, the run they give, comparisons of runs, and the plan that repeats them."""

from prequential.experiment.comparing import compare
from prequential.experiment.comparing_many import compare_many
from prequential.experiment.evaluate import LearnerFailedWarning, evaluate
from prequential.experiment.power import power
from prequential.experiment.run import Run, load
from prequential.experiment.score import score, score_files
from prequential.experiment.score_delayed import score_delayed
from prequential.experiment.significance import FewFoldsWarning

__all__ = [
    "FewFoldsWarning",
    "LearnerFailedWarning",
    "Run",
    "compare",
    "compare_many",
    "evaluate",
    "load",
    "power",
    "score",
    "score_delayed",
    "score_files",
]
