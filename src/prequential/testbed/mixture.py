"""A mixture of classes as a user gets it: with its optimal error, its figures and its text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from prequential.figures.pictured import Pictured
from prequential.testbed.mixture_model import MixtureModel
from prequential.testbed.optimal_error import OptimalError, optimal_error
from prequential.testbed.toml_text import mixture_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure
    from prequential.testbed.mixture_view import MixtureView


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture(MixtureModel, Pictured):
    """The model of a stream: the density of each class at each time.

    At time t a record comes from Gaussian v of class s with probability w_s w_sv(t) / Σ_i w_i Σ_j w_ij(t). Time is
    the index of the record, from 0. The methods take an array of times, one for each record, or one time for all; the
    result for a record depends on its own time alone. The figure shows the Gaussians and the optimal boundary at four
    times, and the optimal error; ``plot`` is an animation.

    Parameters
    ----------
    classes
        The classes, in the order of their codes.
    n_records
        The length of the stream.
    name, summary
        Its name, and its purpose in one line.

    Examples
    --------
    >>> from prequential.testbed import Gaussian, MixtureClass
    >>> left = MixtureClass("A", [Gaussian([-1, 0], [1, 1])])
    >>> right = MixtureClass("B", [Gaussian([1, 0], [1, 1])], weight=3)
    >>> mixture = Mixture(classes=[left, right], n_records=1000)
    >>> mixture.priors(0)
    array([[0.25, 0.75]])
    >>> mixture.posterior([[0.0, 5.0]], 0)
    array([[0.25, 0.75]])

    References
    ----------
    Cervantes, Gagné, Isasi and Parizeau, "Evaluating and characterizing incremental learning from non-stationary
    data", 2018.
    """

    def optimal_error(
        self, at: Any = None, *, method: Literal["integrate", "sample"] | None = None, n: int = 20_000, seed: int = 1
    ) -> OptimalError:
        """Compute the error of the optimal classifier, 1 − ∫ max_c P(c) p(x | c) dx, at some times and in the mean.

        Parameters
        ----------
        at
            Times, in records. By default some dozens, chosen so that the mean is that over all records.
        method
            ``"integrate"`` or ``"sample"``; by default the integral in one and two dimensions, and a sample in more.
        n, seed
            For a sample: the number of records drawn at each time, and their seed.

        Examples
        --------
        >>> import prequential as pq
        >>> round(pq.testbed.mixture("NSLC").optimal_error().mean, 4)
        0.0403
        """
        return optimal_error(self, at, method=method, n=n, seed=seed)

    def to_toml(self) -> str:
        """Return the mixture as TOML, which ``pq.testbed.mixture(path)`` reads, without parameters at their defaults.

        Examples
        --------
        >>> import prequential as pq
        >>> print(pq.testbed.mixture("NSCX").to_toml().splitlines()[0])
        n_records = 10001
        """
        return mixture_text(self)

    def plot(self, *, seed: int = 1) -> go.Figure:
        """Return the animation as an interactive figure; ``seed`` is that of the records that are drawn."""
        import plotly.graph_objects as go

        from prequential.testbed.mixture_animation import animated

        return go.Figure(animated(self._view(seed)))

    def figure(self, *, seed: int = 1) -> PaperFigure:
        """Draw the mixture for print, like figure 1 of its paper; ``seed`` is that of the records that are drawn.

        Examples
        --------
        >>> import prequential as pq
        >>> len(pq.testbed.mixture("NSCX").figure().axes)
        5
        """
        from prequential.testbed.mixture_figure import print_mixture  # imports Matplotlib, which is slow

        return print_mixture(self._view(seed))

    def save_figure(self, path: str | Path, *, seed: int = 1) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, lambda: self.figure(seed=seed))

    def _view(self, seed: int) -> MixtureView:
        from prequential.testbed.mixture_stream import MixtureStream
        from prequential.testbed.mixture_view import MixtureView  # imports Matplotlib, which is slow

        return MixtureView(MixtureStream(self, seed=seed))
