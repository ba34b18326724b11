"""How often tests reject, where the truth is known: the design of an experiment, its repetitions, and their rates."""

from prequential.rejections.design import TESTS, Case, Design
from prequential.rejections.journal import Journal
from prequential.rejections.rate import CONFIDENCE, Rate, rates
from prequential.rejections.repetition import Contrast, Repetition

__all__ = ["CONFIDENCE", "TESTS", "Case", "Contrast", "Design", "Journal", "Rate", "Repetition", "rates"]
