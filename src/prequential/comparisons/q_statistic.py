"""Q statistic: the log ratio of the losses of two learners.

Gama, Sebastião, Rodrigues 2013, "On evaluating stream learning algorithms".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.elementary import log
from prequential.errors import ParameterError
from prequential.types import FloatArray


@checked_call
def q_statistic(loss_a: npt.ArrayLike, loss_b: npt.ArrayLike) -> FloatArray:
    """Q = ln(S_A / S_B), from the losses of two learners summed under the same forgetting.

    In [−∞, ∞]; negative if A has the lower loss. −∞ (∞) if only A (only B) has no loss; NaN if neither
    has. Accepts any loss of at least 0, and arrays of any shape, such as one number per checkpoint.

    Q is the size of a difference, not its significance: see the signed McNemar statistic and the confidence sequence.

    Examples
    --------
    >>> q_statistic([10, 20, 0, 0], [20, 10, 5, 0]).round(4).tolist()
    [-0.6931, 0.6931, -inf, nan]
    """
    first, second = np.asarray(loss_a, dtype=np.float64), np.asarray(loss_b, dtype=np.float64)
    for name, values in (("loss_a", first), ("loss_b", second)):
        if (values < 0).any():
            raise ParameterError(name, "q_statistic", "sums of losses, which are at least 0", float(values.min()))
    with np.errstate(invalid="ignore"):
        q: FloatArray = log(first) - log(second)
    return q


def q_reason(loss_a: float, loss_b: float) -> str:
    """Return why Q is infinite or undefined; empty if it is finite.

    Examples
    --------
    >>> q_reason(0, 0), q_reason(1, 2)
    ('Q is undefined: neither learner has any loss', '')
    """
    if loss_a == 0 and loss_b == 0:
        return "Q is undefined: neither learner has any loss"
    if loss_a == 0 or loss_b == 0:
        return f"Q is infinite: the {'first' if loss_a == 0 else 'second'} learner has no loss"
    return ""
