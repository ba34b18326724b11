"""The testbed: nine streams with a known optimum, and your own streams made the same way.

>>> import prequential as pq
>>> pq.testbed.names()
('NSGT', 'NSGT-F', 'NSGR', 'NSLC', 'NSGT-I', 'NSPC', 'NSPC-A', 'NSGT-5D', 'NSCX')
>>> stream, learners = pq.testbed.stream("NSCX", seed=1), [pq.testbed.Optimal(), "naive_bayes"]
>>> run = pq.evaluate(stream, learners, metrics="accuracy", forgetting="cumulative")
>>> {row["learner"]: round(row["value"], 3) for row in run.table().to_dicts()}
{'Optimal': 0.959, 'naive_bayes': 0.856}

``print(pq.testbed.card(learner))`` characterises a learner on these streams.

Cervantes, Gagné, Isasi and Parizeau, "Evaluating and characterizing incremental learning from non-stationary data".
"""

from typing import TYPE_CHECKING

from prequential.namespace import namespace
from prequential.testbed.cards.card import Card
from prequential.testbed.cards.experiment import card
from prequential.testbed.catalogue import animate, mixture, names, stream
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.optimal import Optimal
from prequential.testbed.optimal_error import OptimalError
from prequential.testbed.optimal_errors import optimal_errors
from prequential.testbed.rotation import Rotation
from prequential.testbed.transform import Transform

__all__ = [
    "Card",
    "Gaussian",
    "Mixture",
    "MixtureClass",
    "MixtureStream",
    "Optimal",
    "OptimalError",
    "Rotation",
    "Transform",
    "animate",
    "card",
    "mixture",
    "names",
    "optimal_errors",
    "stream",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
