"""Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013."""

from __future__ import annotations

from prequential.streams.generators import LED, RandomRBF, RandomTree, Waveform
from prequential.streams.presets.preset import Preset

_STATIONARY, _DRIFT = "section 3.3", "section 5.2, tables 2 and 3"
_LENGTH = "the length: twice the distance to the drift"
_RBF = "the seed of the first model: 1 (that of the second, 10, is printed)"
_TREES = "the seeds of the trees: 1 and 2"

PRESETS = {
    "LED": Preset(
        "LED without drift; Bayes error 26 %.", _STATIONARY, 100_000, lambda: LED(n_features=7), ("the length",)
    ),
    "Waveform": Preset("Waveform without drift; Bayes error 13.3 %.", _STATIONARY, 100_000, Waveform, ("the length",)),
    "RBF": Preset("RandomRBF without drift.", _STATIONARY, 100_000, RandomRBF, ("the length", _RBF)),
    "RT": Preset(
        "RandomTree without drift.", _STATIONARY, 100_000, RandomTree, ("the length", "the seed of the tree: 1")
    ),
    "LED-drift": Preset(
        "LED; all seven segments change places at record 128,000.",
        _DRIFT,
        256_000,
        lambda: LED().drift_to(LED(n_drifting=7, seed=2), at=128_000),
        (_LENGTH, "24 features: MOA has a drift of LED only with the 17 irrelevant ones"),
    ),
    "Waveform-drift": Preset(
        "Waveform; all 21 features change places at record 32,000.",
        _DRIFT,
        64_000,
        lambda: Waveform().drift_to(Waveform(n_drifting=21, seed=2), at=32_000),
        (_LENGTH, "which features are exchanged: model_seed 1"),
    ),
    "RBF-drift": Preset(
        "RandomRBF; at record 32,000 another model, whose centroids move by 0.01 per record.",
        _DRIFT,
        64_000,
        lambda: RandomRBF().drift_to(RandomRBF(model_seed=10, speed=0.01, seed=2), at=32_000),
        (_LENGTH, _RBF),
    ),
    "RT-drift": Preset(
        "RandomTree; another tree from record 32,000 on.",
        _DRIFT,
        64_000,
        lambda: RandomTree().drift_to(RandomTree(model_seed=2, seed=2), at=32_000),
        (_LENGTH, _TREES),
    ),
}
