"""The testbed: streams drawn from mixtures of Gaussians that change with time, whose optimum is known.

Cervantes, Gagné, Isasi and Parizeau, "Evaluating and characterizing incremental learning from non-stationary data".
"""

from prequential.streams.testbed.gaussian import Gaussian
from prequential.streams.testbed.mixture import Mixture, MixtureClass
from prequential.streams.testbed.mixture_stream import MixtureStream
from prequential.streams.testbed.optimal_error import OptimalError, optimal_error
from prequential.streams.testbed.rotation import Rotation
from prequential.streams.testbed.toml import mixture_of, nine, read_mixture, written
from prequential.streams.testbed.transform import Transform

__all__ = [
    "Gaussian",
    "Mixture",
    "MixtureClass",
    "MixtureStream",
    "OptimalError",
    "Rotation",
    "Transform",
    "mixture_of",
    "nine",
    "optimal_error",
    "read_mixture",
    "written",
]
