"""The testbed of nine streams whose optimum is known, and streams of one's own made the same way.

>>> import prequential as pq
>>> pq.testbed.names()
('NSGT', 'NSGT-F', 'NSGR', 'NSLC', 'NSGT-I', 'NSPC', 'NSPC-A', 'NSGT-5D', 'NSCX')
>>> stream, learners = pq.testbed.stream("NSCX", seed=1), [pq.testbed.Optimal(), "naive_bayes"]
>>> run = pq.evaluate(stream, learners, measures="accuracy", forgetting="cumulative")
>>> {row["learner"]: round(row["value"], 3) for row in run.table().to_dicts()}
{'Optimal': 0.959, 'naive_bayes': 0.856}

What these streams say of a learner of one's own is its card: ``print(pq.testbed.card(learner))``.

Cervantes, Gagné, Isasi and Parizeau, "Evaluating and characterizing incremental learning from non-stationary data".
"""

from __future__ import annotations

from pathlib import Path

from prequential.errors import InputError, ParameterError, listing, suggestion
from prequential.experiment.card import card
from prequential.experiment.optimal_errors import optimal_errors
from prequential.learners.optimal import Optimal
from prequential.report.card import Card
from prequential.streams.testbed import (
    Gaussian,
    Mixture,
    MixtureClass,
    MixtureStream,
    OptimalError,
    Rotation,
    Transform,
    nine,
    optimal_error,
    read_mixture,
    written,
)

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
    "card",
    "mixture",
    "names",
    "optimal_error",
    "optimal_errors",
    "stream",
    "written",
]


def names() -> tuple[str, ...]:
    """Return the names of the nine streams."""
    return tuple(nine())


def mixture(name: str | Path) -> Mixture:
    """Return the model of one of the nine streams by its name, or of a TOML file by its path.

    Examples
    --------
    >>> mixture("NSGT-5D").n_features
    5
    """
    if isinstance(name, str) and name in nine():
        return nine()[name]
    if not isinstance(name, str | Path):
        raise ParameterError(
            "name", "testbed.mixture", "the name of a stream of the testbed, or the path of a .toml", name
        )
    if Path(name).suffix == ".toml":
        return read_mixture(name)
    raise InputError(
        f"Unknown stream of the testbed: {str(name)!r}.{suggestion(str(name).upper(), nine())} Streams: "
        f"{listing(nine())}; or the path of a .toml file."
    )


def stream(model: str | Path | Mixture, *, seed: int = 1, n: int | None = None) -> MixtureStream:
    """Return a stream of the testbed.

    Parameters
    ----------
    model
        The name of one of the nine, a TOML file, or a mixture.
    seed
        Which records.
    n
        How many records; as many as the model says by default. Changes keep their places, whatever the length.
    """
    return MixtureStream(model if isinstance(model, Mixture) else mixture(model), seed=seed, n=n)
