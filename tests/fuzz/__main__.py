"""``make fuzz``: read damaged files for a long time, and save every input that is a bug."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fuzz.runner import Report, fuzz, save_faults
from fuzz.targets import TARGETS

FOLDER = Path(__file__).resolve().parents[2] / "build" / "fuzz"
BATCH = 2000


def main() -> int:
    """Fuzz all kinds in turn, one batch each, until the time is over."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all damage (default: 1)")
    parser.add_argument("--kind", action="append", choices=[*TARGETS], help="only this kind; repeat for several")
    parser.add_argument("--first", type=int, default=0, help="first input (default: 0)")
    parser.add_argument("--batch", type=int, default=BATCH, help=f"inputs per process (default: {BATCH:,})")
    options = parser.parse_args()
    report, end, first = Report(), time.monotonic() + 60 * options.minutes, options.first
    try:
        while time.monotonic() < end:
            for kind in options.kind or TARGETS:
                if time.monotonic() < end:
                    fuzz(report, kind, seed=options.seed, first=first, last=first + options.batch)
            first += options.batch
    except KeyboardInterrupt:
        pass
    save_faults(report, FOLDER, seed=options.seed)
    print(report)
    if report.faults:
        print(f"{len(report.faults):,} bugs; their inputs and tracebacks are in {FOLDER}")
    return int(bool(report.faults))


if __name__ == "__main__":
    sys.exit(main())
