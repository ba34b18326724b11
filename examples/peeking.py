"""Show how often a test calls two equal learners different if it is read repeatedly: python examples/peeking.py."""

import numpy as np

from prequential import comparisons
from prequential.comparisons.confidence_sequence import predictable_variance
from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.comparisons.mcnemar import signed_mcnemar

rng = np.random.default_rng(1)
records = np.arange(1, 2001)
drawn = rng.integers(0, 5, size=(1000, 2000))  # a thousand runs; the learners differ on two records of five
a_lost, b_lost = np.cumsum(drawn == 0, axis=1), np.cumsum(drawn == 1, axis=1)

m = np.abs(signed_mcnemar(a_lost, b_lost))
variance = predictable_variance((drawn == 0) * 1.0 - (drawn == 1))
sequence = comparisons.confidence_sequence(records, a_lost - b_lost, variance, alpha=0.01)
p = anytime_p_value(log_e_value(a_lost, b_lost))

print("runs in which two equal learners are called different, at α = 1 %:")
print(f"  McNemar, read once, at the end          {np.mean(m[:, -1] >= 6.635):6.1%}")
print(f"  McNemar, read every 100 records         {np.mean((m[:, 99::100] >= 6.635).any(axis=1)):6.1%}")
print(f"  McNemar, read after every record        {np.mean((m[:, 99:] >= 6.635).any(axis=1)):6.1%}")
print(f"  confidence sequence, after every record {np.mean(sequence.excludes_zero.any(axis=1)):6.1%}")
print(f"  e-process, after every record           {np.mean(p[:, -1] <= 0.01):6.1%}")
