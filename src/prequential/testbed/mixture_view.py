"""The data of a picture of a mixture: ellipses, paths of the centres, optimal boundary, records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.figure import Figure

from prequential.errors import InputError
from prequential.runs.known_drift import KnownDrift
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.optimal_error import optimal_error
from prequential.types import FloatArray, IntArray

_N_CORNERS = 48
_N_PATH = 201
_N_GRID = 120
_N_TIMES = 101
N_SO_FAR = 401
"""Number of records at which the error so far is computed."""
_CIRCLE = np.stack([f(np.linspace(0, 2 * np.pi, _N_CORNERS + 1)) for f in (np.cos, np.sin)])
_CERTAIN = 30.0
"""A larger difference of logarithms does not affect the place of the boundary."""


@dataclass(frozen=True, slots=True)
class Ellipse:
    """A Gaussian at one time.

    Parameters
    ----------
    label
        The code of its class.
    share
        Its probability, shown as the strength of its colour.
    inner, outer
        Points of the ellipses of one and of two standard deviations, one row per point.
    """

    label: int
    share: float
    inner: FloatArray
    outer: FloatArray


@dataclass(frozen=True, slots=True)
class Moment:
    """A mixture at one time: its Gaussians, the boundary between the classes as lines, and nearby records."""

    at: int
    ellipses: tuple[Ellipse, ...]
    boundary: tuple[FloatArray, ...]
    X: FloatArray
    y: IntArray


class MixtureView:
    """The first two features of a testbed stream.

    Parameters
    ----------
    stream
        The stream; it must have at least two features. With more than two no boundary is shown, because it depends on
        the others.
    """

    def __init__(self, stream: MixtureStream) -> None:
        if stream.mixture.n_features < 2:
            raise InputError(f"{stream.name} has one feature; a picture of the testbed needs at least two.")
        self.stream, self.mixture = stream, stream.mixture
        self.classes = [one.name for one in self.mixture.classes]
        self._axes = Figure().add_subplot()  # only for Matplotlib's contour lines; nothing is drawn

    @cached_property
    def error_so_far(self) -> tuple[IntArray, FloatArray]:
        """Evenly spaced records, and the error of the optimal classifier up to each."""
        last = self.mixture.n_records - 1
        marks = np.unique(np.round(np.linspace(0, last, N_SO_FAR)).astype(np.int64))
        wrong = np.zeros(len(marks))
        n_wrong = 0
        for chunk in self.stream.chunks():
            at = np.arange(chunk.start, chunk.start + len(chunk))
            missed = np.cumsum(self.mixture.posterior(chunk.X, at).argmax(axis=1) != chunk.y) + n_wrong
            here = (marks >= at[0]) & (marks <= at[-1])
            wrong[here] = missed[marks[here] - chunk.start]
            n_wrong = int(missed[-1])
        return marks, wrong / (marks + 1)

    @cached_property
    def title(self) -> str:
        """The name and purpose of the stream, and which features are shown."""
        seen = f" (two of {self.mixture.n_features} features)" if self.mixture.n_features > 2 else ""
        return f"{self.stream.name}: {self.mixture.summary}{seen}" if self.mixture.summary else self.stream.name + seen

    @cached_property
    def drifts(self) -> tuple[KnownDrift, ...]:
        """The drifts of the stream, for drawing; overlapping gradual ones are joined."""
        found: list[KnownDrift] = []
        for drift in sorted(self.stream.drifts, key=lambda one: one.at - one.width / 2):
            half = drift.width / 2 if drift.width > 1 else 0.0
            begin, end = drift.at - half, drift.at + half
            before = next((one for one in reversed(found) if not one.abrupt), None)
            if half and before is not None and begin <= before.end + 1 and before.real == drift.real:
                found[found.index(before)] = KnownDrift(before.begin, max(before.end, end), drift.real)
            else:
                found.append(KnownDrift(begin, end, drift.real))
        return tuple(found)

    @cached_property
    def optimal_error(self) -> tuple[FloatArray, FloatArray]:
        """Times and the optimal error at each; for abrupt changes, before and after."""
        last = self.mixture.n_records - 1
        times = {*np.linspace(0, last, _N_TIMES).tolist()}
        times |= {t for drift in self.stream.drifts if drift.width == 1 for t in (float(drift.at - 1), float(drift.at))}
        found = optimal_error(self.mixture, sorted(times))
        return found.at, found.error

    @cached_property
    def paths(self) -> list[tuple[int, FloatArray]]:
        """The path of each centre while its weight is above 0: class code, and points."""
        at = np.linspace(0, self.mixture.n_records - 1, _N_PATH)
        found = []
        for label, gaussian in zip(self.mixture.labels.tolist(), self.mixture.gaussians, strict=True):
            there = gaussian.weights(at) > 0
            if there.any():
                found.append((label, gaussian.centres(at[there])[:, :2]))
        return found

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The range of both features: left, right, bottom, top."""
        at = np.linspace(0, self.mixture.n_records - 1, _N_PATH)
        low, high = [], []
        for gaussian in self.mixture.gaussians:
            there = at[gaussian.weights(at) > 0]
            if len(there):
                reach = 3 * np.sqrt(np.diagonal(gaussian.covariances(there), axis1=1, axis2=2)[:, :2])
                low.append((gaussian.centres(there)[:, :2] - reach).min(axis=0))
                high.append((gaussian.centres(there)[:, :2] + reach).max(axis=0))
        (left, bottom), (right, top) = np.min(low, axis=0).tolist(), np.max(high, axis=0).tolist()
        return left, right, bottom, top

    def moment(self, at: int, *, before: int, after: int) -> Moment:
        """Return the mixture at a time, with this many records before and after it."""
        shares = self.mixture.shares(at)[0].tolist()
        parts = zip(self.mixture.labels.tolist(), shares, self.mixture.gaussians, strict=True)
        ellipses = [_ellipse(label, share, gaussian, at) for label, share, gaussian in parts if share > 0]
        begin, end = max(0, at - before), min(at + after, self.mixture.n_records)
        near = next(self.stream.chunks(max(1, end - begin), begin))
        return Moment(at, tuple(ellipses), self._boundary(at), near.X[:, :2], near.y)

    def _boundary(self, at: int) -> tuple[FloatArray, ...]:
        """Return the lines along which two classes are equally likely and no other is likelier."""
        if self.mixture.n_features > 2:
            return ()
        left, right, bottom, top = self.extent
        x, y = np.linspace(left, right, _N_GRID), np.linspace(bottom, top, _N_GRID)
        points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        joint = self.mixture.log_joint(points, at)
        joint = joint[:, self.mixture.priors(at)[0] > 0]
        lines = []
        for c in range(joint.shape[1] - 1):
            # Against later classes only, where this one is likelier than all earlier ones: draw each boundary once.
            ahead = joint[:, c] - joint[:, c + 1 :].max(axis=1)
            behind = joint[:, : c + 1].max(axis=1) > joint[:, c]
            level = np.clip(ahead, -_CERTAIN, _CERTAIN)
            level[behind] = np.nan
            shown = np.ma.masked_invalid(level.reshape(len(y), len(x)))
            if shown.min() < 0 < shown.max():
                found = self._axes.contour(x, y, shown, levels=[0.0])
                lines += [line for line in found.allsegs[0] if len(line)]
                found.remove()
        return tuple(lines)


def _ellipse(label: int, share: float, gaussian: Gaussian, at: int) -> Ellipse:
    root = np.linalg.cholesky(gaussian.covariances([at])[0, :2, :2])
    centre = gaussian.centres([at])[0, :2]
    around = (root @ _CIRCLE).T
    return Ellipse(label, share, centre + around, centre + 2 * around)
