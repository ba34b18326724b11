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

GENERATORS: dict[str, type[Generator]] = {
    cls.__name__: cls
    for cls in (
        *(SEA, LED, Waveform, RandomRBF, RandomTree, Hyperplane),
        *(Agrawal, STAGGER, Sine, Mixed, RotatingGaussian),
    )
}
"""All generators by name, for the command line and plans."""

__all__ = [
    "GENERATORS",
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
