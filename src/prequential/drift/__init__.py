"""Drift detectors, and scores of their alarms against known drifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prequential.drift.adapted import DetectorLike, as_detector
from prequential.drift.adwin import ADWIN
from prequential.drift.catalogue import names
from prequential.drift.ddm import DDM
from prequential.drift.detection import Detection
from prequential.drift.detector import Detector
from prequential.drift.eddm import EDDM
from prequential.drift.page_hinkley import PageHinkley
from prequential.drift.ratio import Ratio
from prequential.drift.scoring import DetectionScore, score_alarms
from prequential.drift.statistic_series import StatisticSeries
from prequential.drift.variations import sweep
from prequential.drift.watch import Alarm
from prequential.namespace import namespace

__all__ = [
    "ADWIN",
    "DDM",
    "EDDM",
    "Alarm",
    "Detection",
    "DetectionScore",
    "Detector",
    "DetectorLike",
    "PageHinkley",
    "Ratio",
    "StatisticSeries",
    "as_detector",
    "names",
    "score_alarms",
    "sweep",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
