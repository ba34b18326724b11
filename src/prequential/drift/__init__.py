"""Drift detectors, and scores of their alarms against known drifts."""

from __future__ import annotations

from prequential.drift.adapted import Adapted, as_detector
from prequential.drift.adwin import ADWIN
from prequential.drift.catalogue import names
from prequential.drift.ddm import DDM
from prequential.drift.detection import Detection
from prequential.drift.detector import Detector, State
from prequential.drift.drift_reset import DriftReset
from prequential.drift.eddm import EDDM
from prequential.drift.page_hinkley import PageHinkley
from prequential.drift.ratio import Ratio
from prequential.drift.scoring import DetectionScore, score_alarms, verdicts
from prequential.drift.watch import Alarm, Watch

__all__ = [
    "ADWIN",
    "DDM",
    "EDDM",
    "Adapted",
    "Alarm",
    "Detection",
    "DetectionScore",
    "Detector",
    "DriftReset",
    "PageHinkley",
    "Ratio",
    "State",
    "Watch",
    "as_detector",
    "names",
    "score_alarms",
    "verdicts",
]
