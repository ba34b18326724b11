"""Streams composed of other streams: drifts from one to another, and transformations of one."""

from prequential.streams.compositions.blip import Blip
from prequential.streams.compositions.class_ratio import ClassRatio
from prequential.streams.compositions.concatenation import Concatenation
from prequential.streams.compositions.delayed import Delayed
from prequential.streams.compositions.drifting import Drifting
from prequential.streams.compositions.feature_noise import FeatureNoise
from prequential.streams.compositions.incremental import Incremental
from prequential.streams.compositions.interleaved import Interleaved
from prequential.streams.compositions.label_noise import LabelNoise
from prequential.streams.compositions.missing_values import MissingValues
from prequential.streams.compositions.part import Part
from prequential.streams.compositions.recurring import Recurring
from prequential.streams.compositions.repetition import Repetition
from prequential.streams.compositions.sparse_labels import SparseLabels
from prequential.streams.stream import register_compositions

__all__ = [
    "Blip",
    "ClassRatio",
    "Concatenation",
    "Delayed",
    "Drifting",
    "FeatureNoise",
    "Incremental",
    "Interleaved",
    "LabelNoise",
    "MissingValues",
    "Part",
    "Recurring",
    "Repetition",
    "SparseLabels",
]

register_compositions(
    {
        cls.method: cls
        for cls in (
            *(Blip, ClassRatio, Concatenation, Delayed, Drifting, FeatureNoise, Incremental, Interleaved),
            *(LabelNoise, MissingValues, Part, Recurring, Repetition, SparseLabels),
        )
    }
)
