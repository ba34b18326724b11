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
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from prequential.report.paper_figure import PaperFigure

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
    "draw",
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


def draw(model: str | Path | Mixture, *, seed: int = 1) -> PaperFigure:
    """Draw a stream of the testbed: its Gaussians and the optimal frontier at four moments, and the optimal error.

    ``figure.savefig(path)`` writes it; a notebook shows it.

    Parameters
    ----------
    model
        The name of one of the nine, a TOML file, or a mixture, of at least two features.
    seed
        Which records are drawn.
    """
    from prequential.report.mixture_figure import print_mixture  # only who draws waits for Matplotlib
    from prequential.report.mixture_view import MixtureView

    return print_mixture(MixtureView(stream(model, seed=seed)))


def animate(model: str | Path | Mixture, path: str | Path, *, seed: int = 1) -> Path:
    """Write a stream of the testbed as a moving picture: one HTML file that needs nothing else.

    Parameters
    ----------
    model
        The name of one of the nine, a TOML file, or a mixture, of at least two features.
    path
        Where to write it, with the suffix ``.html``.
    seed
        Which records are drawn.
    """
    from prequential.report.mixture_animation import write_animation  # only who draws waits for Plotly
    from prequential.report.mixture_view import MixtureView

    return write_animation(MixtureView(stream(model, seed=seed)), path)
