"""``make mutate``: change the code in small ways, and report the changes that no test notices."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from mutation.covering import Covering
from mutation.mutants import Mutant, mutants, sample
from mutation.report import Result, caught_share, explanations, insert, markdown
from mutation.runner import Outcome, Runner, Task

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutation"
PAGE = ROOT / "docs" / "mutation.md"
PACKAGES = ("metrics", "comparisons", "protocols", "evaluation", "runs", "drift")
SOURCES = [f"src/prequential/{package}" for package in PACKAGES]
TESTS = ["tests/unit", "tests/properties", "tests/parity", "tests/contracts", "tests/golden", "tests/cli", *SOURCES]
IGNORED = [
    *(f"tests/unit/{name}" for name in ("learners", "streams", "testbed", "power", "test_architecture.py")),
    *(
        f"tests/properties/test_{name}.py"
        for name in ("compositions", "native_learners", "readers", "testbed", "writers")
    ),
    *(f"tests/parity/test_{name}.py" for name in ("adwin_window", "generators", "learners", "sgd", "testbed")),
    *(f"tests/parity/test_{name}.py" for name in ("tree_twin", "trees")),
    *(f"tests/contracts/test_{name}.py" for name in ("engines", "learners", "made_of_learners", "native_learners")),
    *(f"tests/contracts/test_{name}.py" for name in ("python_bases", "ray", "saving")),
    *(f"tests/cli/test_{name}.py" for name in ("card", "generate", "options", "power", "run", "testbed")),
]
"""Tests of learners, streams and commands, slow tests of other packages, and those that need Ray or a JVM."""
SEED, N, TARGET = 1, 330, 0.9


def main() -> None:
    """Run a sample of the mutants against the tests that cover them."""
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"Seed of the sample ({SEED}).")
    parser.add_argument("--mutants", type=int, default=N, metavar="N", help=f"Size of the sample ({N}).")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="Run these mutants, or those of these files."
    )
    parser.add_argument(
        "--survivors",
        action="store_true",
        help="Run the survivors of the last sample again, and keep its other results.",
    )
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH", help="Tests to use.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="Mutants at a time (one per core).")
    parser.add_argument(
        "--budget", type=float, default=60.0, metavar="SECONDS", help="Tests per mutant, the fastest first (60)."
    )
    parser.add_argument("--list", action="store_true", help="List the mutants and stop.")
    parser.add_argument("--docs", action="store_true", help=f"Write the results into {PAGE.relative_to(ROOT)}.")
    arguments = parser.parse_args()

    begun = time.monotonic()
    last = _last_results() if arguments.survivors else []
    kept = [one for one in last if one.outcome.is_caught]
    only = [one.mutant.name for one in last if not one.outcome.is_caught] or arguments.only
    chosen, n_all = _chosen(arguments.seed, arguments.mutants, only)
    if arguments.list:
        for mutant in chosen:
            print(mutant.name, f"{mutant.file}:{mutant.line}", mutant.operator, mutant.change, sep="  ")
        return
    folder = FOLDER / ("coverage" if arguments.tests == TESTS else "coverage-of-some-tests")
    covering = Covering.measured(
        ROOT, folder, sources=SOURCES, tests=arguments.tests, jobs=arguments.jobs, ignored=IGNORED
    )
    measured = time.monotonic()
    runner = Runner(ROOT, ROOT / "src", FOLDER / "children", arguments.jobs)
    _control(runner, covering, {test.partition("::")[0]: test for test in covering.seconds}.values())
    results = _run(runner, covering, chosen, arguments.budget)
    _control(runner, covering, {one.outcome.by for one in results} & covering.seconds.keys())
    n_again, results = len(results), [*kept, *results]
    if not arguments.only:
        lines = [{"mutant": asdict(one.mutant), "outcome": asdict(one.outcome)} for one in results]
        (FOLDER / "results.json").write_text(json.dumps(lines, indent=1), encoding="utf-8")

    minutes = [(measured - begun) / 60, (time.monotonic() - measured) / 60]
    how = (
        f"Seed {arguments.seed}, {len(results)} of {n_all:,} mutants; {minutes[0]:.0f} minutes for the coverage and "
        f"{minutes[1]:.0f} for the mutants, {arguments.jobs} at a time, each with up to {arguments.budget:g} seconds "
        "of its tests."
    )
    if kept:
        how += f" The {n_again} that survived were run again after tests for them had been added."
    text = markdown(results, explanations(Path(__file__).parent / "survivors.toml"), how)
    print("\n" + text)
    (FOLDER / "report.md").write_text(text, encoding="utf-8")
    if arguments.docs:
        PAGE.write_text(insert(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    if caught_share(results) < TARGET:
        raise SystemExit(f"Less than {TARGET:.0%} of the mutants were caught.")


def _chosen(seed: int, n: int, only: list[str]) -> tuple[list[Mutant], int]:
    files = sorted(path.relative_to(ROOT).as_posix() for source in SOURCES for path in (ROOT / source).glob("*.py"))
    every = [mutant for file in files for mutant in mutants(ROOT, file)]
    some = [mutant for mutant in every if any(word == mutant.name or word in mutant.file for word in only)]
    return sample(ROOT, some if only else every, len(some) if only else n, seed), len(every)


def _last_results() -> list[Result]:
    """Return the results of the last sample."""
    path = FOLDER / "results.json"
    if not path.exists():
        raise SystemExit("There is no sample yet: run make mutate first.")
    lines = json.loads(path.read_text(encoding="utf-8"))
    return [Result(Mutant(**one["mutant"]), Outcome(**one["outcome"])) for one in lines]


def _run(runner: Runner, covering: Covering, chosen: list[Mutant], budget: float) -> list[Result]:
    """Run the mutants, and print each outcome."""
    tasks, results = [], []
    for mutant in chosen:
        tests = covering.tests_of(mutant)
        total = itertools.accumulate(covering.seconds[test] for test in tests)
        chosen_tests = {
            test: covering.seconds[test] for test, so_far in zip(tests, total, strict=True) if so_far < budget
        }
        if tests:
            tasks.append(Task(mutant.name, mutant, chosen_tests))
        else:
            results.append(Result(mutant, Outcome("uncovered")))
    for task, outcome in runner.run(tasks):
        assert task.mutant is not None
        results.append(Result(task.mutant, outcome))
        place = f"{task.mutant.file.removeprefix('src/prequential/')}:{task.mutant.line}"
        print(
            f"{len(results):4}/{len(chosen)} {outcome.status:8} {outcome.seconds:5.1f} s {task.name} {place} "
            f"{task.mutant.operator}: {task.mutant.change}  [{outcome.by or f'{outcome.n_tests} tests'}]",
            flush=True,
        )
    return results


def _control(runner: Runner, covering: Covering, tests: Iterable[str]) -> None:
    """Run tests without a mutant: all must pass, or the mutants that they kill may be innocent."""
    [(_, outcome)] = runner.run([Task("control", None, {test: covering.seconds[test] for test in tests})])
    if outcome.is_caught:
        raise SystemExit(f"{outcome.by} fails without a mutant too; see {FOLDER / 'children/control/log'}")
    print(f"Control: {outcome.n_tests} tests pass without a mutant ({outcome.seconds:.0f} s).", flush=True)


if __name__ == "__main__":
    main()
