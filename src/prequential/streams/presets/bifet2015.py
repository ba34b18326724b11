"""Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation …", KDD 2015."""

from __future__ import annotations

from functools import partial

from prequential.streams.generators import LED, SEA, Hyperplane, RandomRBF
from prequential.streams.presets.preset import Preset
from prequential.streams.stream import Stream

_TABLES = "tables 3 and 4"
_LENGTH = "the length: a million records, as in figure 4"
_PLACES = "the drifts: at a quarter, a half and three quarters"
_MILLION = 1_000_000


def _led(width: int) -> Stream:
    stream: Stream = LED(n_drifting=1)
    for k in (3, 5, 7):
        stream = stream.drift_to(LED(n_drifting=k, seed=k), at=(k - 1) // 2 * _MILLION // 4, width=width)
    return stream


def _sea(width: int) -> Stream:
    stream: Stream = SEA()
    for k in (2, 3, 4):
        stream = stream.drift_to(SEA(concept=k, seed=k), at=(k - 1) * _MILLION // 4, width=width)
    return stream


def _hyp(n_drifting: int, speed: float) -> Stream:
    return Hyperplane(n_features=10, n_drifting=n_drifting, speed=speed)


def _rbf(n_drifting: int, speed: float) -> Stream:
    return RandomRBF(n_drifting=n_drifting, speed=speed)


def _sea_of(width: int) -> Preset:
    summary = f"SEA with three drifts of {width:,} records."
    guesses = (_LENGTH, _PLACES, "the order of the concepts: 1, 2, 3, 4", "noise of 10 %, MOA's default")
    return Preset(summary, _TABLES, _MILLION, partial(_sea, width), guesses)


def _hyp_of(n_drifting: int, speed: float) -> Preset:
    summary = f"A hyperplane of which {n_drifting} weights move by {speed:g} per record."
    guesses = (_LENGTH, "10 features", "noise of 5 %, MOA's default")
    return Preset(summary, _TABLES, _MILLION, partial(_hyp, n_drifting, speed), guesses)


def _rbf_of(n_drifting: int, speed: float) -> Preset:
    summary = f"RandomRBF of which {n_drifting} of 50 centroids move by {speed:g} per record."
    guesses = (_LENGTH, "10 features, two classes, 50 centroids: MOA's defaults", "the seed of the model: 1")
    return Preset(summary, _TABLES, _MILLION, partial(_rbf, n_drifting, speed), guesses)


PRESETS = {
    "CovType": Preset("Forest cover type.", _TABLES, 581_012, data="covtype"),
    "Electricity": Preset("Electricity prices.", _TABLES, 45_312, data="electricity"),
    "Poker": Preset("Poker hands.", _TABLES, 829_201, data="poker"),
    "LED(50000)": Preset(
        "LED with three gradual drifts of 50,000 records.",
        _TABLES,
        _MILLION,
        partial(_led, 50_000),
        (_LENGTH, _PLACES, "1, 3, 5 and 7 features exchanged"),
    ),
    "SEA(50)": _sea_of(50),
    "SEA(50000)": _sea_of(50_000),
    "HYP(10,.001)": _hyp_of(10, 0.001),
    "HYP(10,.0001)": _hyp_of(10, 0.0001),
    "RBF(0,0)": _rbf_of(0, 0.0),
    "RBF(50,.001)": _rbf_of(50, 0.001),
    "RBF(10,.001)": _rbf_of(10, 0.001),
    "RBF(50,.0001)": _rbf_of(50, 0.0001),
    "RBF(10,.0001)": _rbf_of(10, 0.0001),
}
