"""The errors that the paper of the testbed reports, to compare with those computed here."""

from __future__ import annotations

_LEARNERS = ("optimal", "NB", "SGD", "DWM", "OZAB", "NN100", "NN1500", "NN6000")
_PERCENT = {
    "NSGT": (2.95, 25.27, 7.68, 4.21, 4.20, 4.83, 6.77, 10.97),
    "NSGT-F": (2.91, 41.73, 14.14, 6.90, 4.39, 4.77, 11.79, 12.04),
    "NSGR": (0.00, 49.61, 0.04, 0.90, 0.54, 0.02, 0.02, 36.95),
    "NSLC": (4.05, 6.44, 4.25, 4.91, 4.72, 6.19, 6.12, 7.77),
    "NSGT-I": (2.93, 25.05, 8.02, 5.85, 4.48, 4.80, 9.58, 10.28),
    "NSPC": (5.76, 5.94, 6.77, 6.24, 6.16, 9.00, 8.73, 8.90),
    "NSPC-A": (5.37, 6.09, 5.89, 6.09, 5.98, 8.45, 8.28, 8.82),
    "NSGT-5D": (5.74, 25.43, 9.35, 7.34, 7.63, 12.18, 11.16, 11.88),
    "NSCX": (4.18, 14.28, 12.94, 6.90, 6.08, 6.47, 8.62, 10.19),
}
PUBLISHED: dict[str, dict[str, float]] = {
    stream: {name: round(value / 100, 4) for name, value in zip(_LEARNERS, values, strict=True)}
    for stream, values in _PERCENT.items()
}
"""Table 3: the mean prequential error of ten runs by stream and learner, as a fraction. NN100 is the nearest neighbour
of the last 100 records."""
