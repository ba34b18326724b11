"""The textual form of detectors, for the command line and plans."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from prequential.drift.adwin import ADWIN
from prequential.drift.ddm import DDM
from prequential.drift.detector import Detector
from prequential.drift.eddm import EDDM
from prequential.drift.page_hinkley import PageHinkley
from prequential.drift.ratio import Ratio
from prequential.errors import InputError
from prequential.wording import listing, suggestion

DETECTORS: dict[str, type[Detector]] = {cls.name: cls for cls in (PageHinkley, Ratio, ADWIN, DDM, EDDM)}

_TEXT = ("on", "under", "short", "long", "direction", "convention")
_SYNONYMS = {"lambda": "threshold"}


def parse_detector(text: str) -> Detector:
    """Read the textual form of a detector: a name and, after a colon, parameters.

    Examples
    --------
    >>> parse_detector("page_hinkley:delta=0.1,threshold=100,under=fading:0.997").label
    'page_hinkley:delta=0.1,threshold=100,on=error,under=fading:0.997'
    """
    name, _, rest = text.strip().partition(":")
    if name not in DETECTORS:
        raise InputError(f"Unknown detector {name!r}.{suggestion(name, DETECTORS)} Detectors: {listing(DETECTORS)}.")
    cls = DETECTORS[name]
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # every detector is a dataclass
    parameters: dict[str, Any] = {}
    for item in filter(None, re.split(r",(?=\s*\w+\s*=)", rest)):
        key, sign, value = item.partition("=")
        key = _SYNONYMS.get(key.strip(), key.strip())
        if not sign:
            raise InputError(f"Detector {text!r}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
        if key not in known:
            raise InputError(
                f"Detector {name!r} has no parameter {key!r}.{suggestion(key, known)} Its parameters: {listing(known)}."
            )
        parameters[key] = value.strip() if key in _TEXT else _number(value.strip())
    return cls(**parameters)


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
