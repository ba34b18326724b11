"""The detectors by name."""

from __future__ import annotations

from prequential.arguments import checked_call
from prequential.drift.adwin import ADWIN
from prequential.drift.ddm import DDM
from prequential.drift.detector import Detector
from prequential.drift.eddm import EDDM
from prequential.drift.page_hinkley import PageHinkley
from prequential.drift.ratio import Ratio
from prequential.textual import Catalogue

DETECTORS: Catalogue[Detector] = Catalogue(
    "detector",
    aliases={"ph": "page_hinkley"},
    synonyms={"page_hinkley_test": "page_hinkley", "cusum": "page_hinkley", "adaptive_window": "adwin"},
)
"""The detectors by name."""

for _cls in (PageHinkley, Ratio, ADWIN, DDM, EDDM):
    DETECTORS.add(_cls.name, _cls)


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the detectors.

    Examples
    --------
    >>> names()
    ('page_hinkley', 'ratio', 'adwin', 'ddm', 'eddm')
    """
    return DETECTORS.names()
