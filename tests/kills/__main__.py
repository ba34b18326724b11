"""``make kills``: kill commands at random moments for a long time, and compare every resumed run with a whole one."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from kills.runner import Killer


def main() -> int:
    """Kill until the time is over, or until there were enough kills."""
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long at most (default: 10)")
    parser.add_argument("--kills", type=int, default=1 << 60, help="how many kills are enough (default: no limit)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all moments (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="first index (default: 0)")
    options = parser.parse_args()
    end, index = time.monotonic() + 60 * options.minutes, options.first
    with tempfile.TemporaryDirectory() as folder:
        killer = Killer(Path(folder), options.seed)
        try:
            while time.monotonic() < end and killer.tally.n_kills < options.kills:
                killer.kill(index)
                shutil.rmtree(Path(folder) / f"out{index}", ignore_errors=True)
                index += 1
        except KeyboardInterrupt:
            pass
    print(killer.tally)
    for fault in killer.tally.faults:
        print(fault)
    return int(bool(killer.tally.faults))


if __name__ == "__main__":
    sys.exit(main())
