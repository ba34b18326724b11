"""Grzenda, Gomes and Bifet, "Performance measures for evolving predictions under delayed labelling", IJCNN 2020.

Labels come late.
"""

from __future__ import annotations

from prequential.streams.generators import LED, Agrawal, Hyperplane
from prequential.streams.presets.preset import Preset
from prequential.streams.stream import Stream

_TABLE = "section V and table I"


def _led() -> Stream:
    stream: Stream = LED(n_drifting=1)
    for k, at in ((3, 3_750), (5, 11_250)):
        stream = stream.drift_to(LED(n_drifting=k, seed=k), at=at)
    return stream


def _agrawal() -> Stream:
    stream: Stream = Agrawal(1)
    for k in (2, 3, 4, 5):
        stream = stream.drift_to(Agrawal(k, seed=k), at=2_000 * (k - 1), width=400)
    return stream


PRESETS = {
    "LED": Preset(
        "LED with two abrupt drifts, labels 1,000 records late.",
        _TABLE,
        20_000,
        _led,
        (
            "the drifts are those of the authors' file, at 3,750 and 11,250, with 1, 3 and 5 features exchanged; the "
            "text has three",
            "labels come before a record of the same time, as in the authors' file",
        ),
        lambda stream: stream.delayed(1_000, first="labels"),
    ),
    "Hyperplane": Preset(
        "A hyperplane of two dimensions, labels 100 records late.",
        _TABLE,
        250,
        lambda: Hyperplane(n_features=2, speed=0.001),
        ("the speed: 0.001", "noise of 5 %, MOA's default"),
        lambda stream: stream.delayed(100),
    ),
    "Agrawal": Preset(
        "Agrawal with four gradual drifts of 400 records, functions 1 to 5, labels 1,000 records late.",
        _TABLE,
        10_000,
        _agrawal,
        ("MOA's perturbation of 5 %",),
        lambda stream: stream.delayed(1_000),
    ),
    "Electricity": Preset("Electricity, 24 hours ahead.", _TABLE, 45_312, data="delayed_electricity"),
    "CovType": Preset(
        "The first records of CovType, labels 1,000 records late.",
        _TABLE,
        24_500,
        guesses=("labels come before a record of the same time, as in the authors' file",),
        finish=lambda stream: stream.delayed(1_000, first="labels"),
        data="covtype",
    ),
    "Airlines": Preset("Flights into ATL.", _TABLE, 6_227, data="delayed_airlines"),
}
