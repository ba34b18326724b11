"""Synthetic streams, generated from a formula and a seed."""

from prequential.streams.generators.agrawal import Agrawal
from prequential.streams.generators.generator import Generator
from prequential.streams.generators.hyperplane import Hyperplane
from prequential.streams.generators.led import LED
from prequential.streams.generators.mixed import Mixed
from prequential.streams.generators.random_rbf import RandomRBF
from prequential.streams.generators.random_tree import RandomTree
from prequential.streams.generators.rotating_gaussian import RotatingGaussian
from prequential.streams.generators.sea import SEA
from prequential.streams.generators.sine import Sine
from prequential.streams.generators.stagger import STAGGER
from prequential.streams.generators.waveform import Waveform
from prequential.textual import Catalogue

GENERATORS: Catalogue[Generator] = Catalogue(
    "generator",
    synonyms={
        **{
            f"{name}_generator": name for name in ("SEA", "LED", "Waveform", "Hyperplane", "Agrawal", "STAGGER", "Sine")
        },
        "rbf": "RandomRBF",
        "random_rbf_generator": "RandomRBF",
        "random_tree_generator": "RandomTree",
        "random_tree_mc": "RandomTree",
        "mixed_generator": "Mixed",
        "rotating_hyperplane": "Hyperplane",
    },
)
"""All generators by name."""

for _cls in (
    *(SEA, LED, Waveform, RandomRBF, RandomTree, Hyperplane),
    *(Agrawal, STAGGER, Sine, Mixed, RotatingGaussian),
):
    GENERATORS.add(_cls.__name__, _cls)

__all__ = [
    "LED",
    "SEA",
    "STAGGER",
    "Agrawal",
    "Generator",
    "Hyperplane",
    "Mixed",
    "RandomRBF",
    "RandomTree",
    "RotatingGaussian",
    "Sine",
    "Waveform",
]
