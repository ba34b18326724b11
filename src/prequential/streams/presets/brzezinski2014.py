"""Brzezinski and Stefanowski, "Prequential AUC for classifier evaluation and drift detection", NFMCP 2014.

Label noise comes after the class ratio: only so do the paper's numbers on SEA_Ratio and SEA_100 come out.
"""

from __future__ import annotations

from functools import partial

from prequential.streams.generators import SEA, Agrawal, Hyperplane, RandomRBF, RandomTree
from prequential.streams.presets.preset import Preset
from prequential.streams.stream import Stream

_TABLE = "table 1 and section 5.1"
_EQUAL = "the drifts are at equal distances"
_CONCEPTS = "the order of the concepts: 1, 2, 3, 4"
_NOISE = "the noise comes after the class ratio"
_BLIPS = (
    "the places of the blips: a third and two thirds",
    "their length: 500 records",
    "two classes; the seeds of the models",
)
_SPEED = "all weights of the hyperplane move by 0.001 per record"
_MILLION = 1_000_000
_RATIOS = ("1:1", "1:100", "1:10", "1:1")


def _one_sea() -> Stream:
    return SEA(noise=0).label_noise(0.1)


def _sea(*ratios: str | None, concepts: tuple[int, ...] = (1, 2, 3, 4)) -> Stream:
    """Return SEA with four parts: the ratio of each part, or of all, is set before they are joined.

    The ratio skips records, so otherwise the drifts would not be where they are meant to be.
    """
    ratios = ratios * 4 if len(ratios) == 1 else ratios
    parts: list[Stream] = [SEA(concept=concept, noise=0, seed=k) for k, concept in enumerate(concepts, start=1)]
    parts = [
        part if ratio is None else part.class_ratio(ratio, seed=k)
        for k, (part, ratio) in enumerate(zip(parts, ratios, strict=True), start=1)
    ]
    stream = parts[0]
    for k, part in enumerate(parts[1:], start=1):
        stream = stream.drift_to(part, at=k * _MILLION // 4, real=concepts[k] != concepts[k - 1])
    return stream.label_noise(0.1)


def _hyperplane(ratio: str | None, n_features: int, speed: float, *, change: bool = False) -> Stream:
    stream: Stream = Hyperplane(n_features=n_features, n_drifting=n_features, speed=speed, noise=0)
    if change:
        half = _MILLION // 2
        stream = stream.class_ratio("1:1", changes={half: "1:100"}, width=_MILLION, scale="ratio")
    elif ratio is not None:
        stream = stream.class_ratio(ratio)
    return stream.label_noise(0.05)


def _agrawal(ratio: str | None) -> Stream:
    first, second = (Agrawal(k, perturbation=0, seed=k) for k in (1, 2))
    if ratio is None:
        return first.drift_to(second, at=30_000).label_noise(0.01)
    return first.class_ratio(ratio).drift_to(second.class_ratio(ratio, seed=2), at=30_000).label_noise(0.01)


def _blips(n: int) -> Stream:
    def rbf(k: int) -> RandomRBF:
        return RandomRBF(n_features=20, model_seed=k, seed=k)

    return rbf(1).blip(rbf(2), at=n // 3, width=500).blip(rbf(3), at=2 * n // 3, width=500)


def _sea_ratio() -> Stream:
    return SEA(noise=0).class_ratio("1:1", changes={10_000: "1:100"}).label_noise(0.1)


_AGRAWAL = ("functions 1 and 2", "no perturbation of the features")
PRESETS = {
    "SEA_ND": Preset("SEA without drift.", _TABLE, 100_000, _one_sea, ("concept 1",)),
    "SEA_1": Preset("SEA with three sudden drifts.", _TABLE, _MILLION, partial(_sea, None), (_EQUAL, _CONCEPTS)),
    "SEA_10": Preset(
        "SEA with three sudden drifts, class ratio 1:10.",
        _TABLE,
        _MILLION,
        partial(_sea, "1:10"),
        (_EQUAL, _CONCEPTS, _NOISE),
    ),
    "SEA_100": Preset(
        "SEA with three sudden drifts, class ratio 1:100.",
        _TABLE,
        _MILLION,
        partial(_sea, "1:100"),
        (_EQUAL, _CONCEPTS, _NOISE),
    ),
    "Hyp_1": Preset("A rotating hyperplane.", _TABLE, 500_000, partial(_hyperplane, None, 5, 0.001), (_SPEED,)),
    "Hyp_10": Preset(
        "A rotating hyperplane, class ratio 1:10.",
        _TABLE,
        500_000,
        partial(_hyperplane, "1:10", 5, 0.001),
        (_SPEED, _NOISE),
    ),
    "Hyp_100": Preset(
        "A rotating hyperplane, class ratio 1:100.",
        _TABLE,
        500_000,
        partial(_hyperplane, "1:100", 5, 0.001),
        (_SPEED, _NOISE),
    ),
    "RBF": Preset("RandomRBF with two blips.", _TABLE, _MILLION, partial(_blips, _MILLION), _BLIPS),
    "SEA_RC": Preset(
        "SEA whose class ratio changes suddenly: 1:1, 1:100, 1:10, 1:1.",
        _TABLE,
        _MILLION,
        partial(_sea, *_RATIOS, concepts=(1, 1, 1, 1)),
        (_EQUAL, "concept 1", _NOISE),
    ),
    "SEA_RC+D": Preset(
        "SEA whose class ratio and concept change suddenly at the same records.",
        _TABLE,
        _MILLION,
        partial(_sea, *_RATIOS),
        (_EQUAL, _CONCEPTS, _NOISE),
    ),
    "Hyp_RC": Preset(
        "A hyperplane whose class ratio goes from 1:1 to 1:100, the r of 1:r linearly.",
        _TABLE,
        _MILLION,
        partial(_hyperplane, None, 3, 0.0, change=True),
        ("the r of the ratio 1:r moves linearly: of three readings the only one that fits table 2", _NOISE),
    ),
    "Hyp_RC+D": Preset(
        "A rotating hyperplane whose class ratio goes from 1:1 to 1:100, the r of 1:r linearly.",
        _TABLE,
        _MILLION,
        partial(_hyperplane, None, 3, 0.001, change=True),
        ("the r of the ratio 1:r moves linearly", _SPEED, _NOISE),
    ),
    "Air": Preset("Airlines.", _TABLE, 539_383, data="airlines"),
    "PAKDD": Preset("PAKDD 2009.", _TABLE, 50_000, data="pakdd2009"),
    "SEA_NoDrift": Preset("SEA without drift.", _TABLE, 20_000, _one_sea, ("concept 1",)),
    "Agr_1": Preset("Agrawal with a sudden drift at 30,000.", _TABLE, 40_000, partial(_agrawal, None), _AGRAWAL),
    "Agr_10": Preset(
        "Agrawal with a sudden drift at 30,000, class ratio 1:10.",
        _TABLE,
        40_000,
        partial(_agrawal, "1:10"),
        (*_AGRAWAL, _NOISE),
    ),
    "Agr_100": Preset(
        "Agrawal with a sudden drift at 30,000, class ratio 1:100.",
        _TABLE,
        40_000,
        partial(_agrawal, "1:100"),
        (*_AGRAWAL, _NOISE),
    ),
    "RT": Preset(
        "RandomTree with a sudden drift at 30,000.",
        _TABLE,
        40_000,
        lambda: RandomTree().drift_to(RandomTree(model_seed=2, seed=2), at=30_000),
        ("the seeds of the trees: 1 and 2",),
    ),
    "SEA_Ratio": Preset(
        "SEA whose class ratio jumps from 1:1 to 1:100 at record 10,000.",
        _TABLE,
        40_000,
        _sea_ratio,
        ("concept 1", _NOISE),
    ),
    "RBF_Blips": Preset("RandomRBF with two blips.", _TABLE, 40_000, partial(_blips, 40_000), _BLIPS),
}
