"""The mutation tool: which mutants it makes, and that tests kill the real ones."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutation.mutants import mutants, sample
from mutation.report import BEGIN, END, Result, insert, markdown
from mutation.runner import Outcome, stages

TOY = '''"""A toy."""

LIMIT: int = 10


def clipped(values, most=LIMIT, *, strict=True):
    """Return the values up to a limit: 2 + 2."""
    result = []
    for value in values:
        if value > most:
            result.append(most)
            continue
        result.append(value)
    assert len(result) == len(values)
    return result


def __repr__(self) -> str:
    return 1 + 1
'''
TESTS = """
from toy import clipped

def test_clips():
    assert clipped([1, 20]) == [1, 10]
"""
SCRIPT = """
import json, sys
from pathlib import Path
from mutation.covering import Covering
from mutation.mutants import mutants
from mutation.runner import Runner, Task

root = Path(sys.argv[1])
covering = Covering.measured(root, root / "coverage", sources=["."], tests=["test_toy.py"], jobs=1, ignored=[])
tasks = [Task(m.name, m, {test: 0.01 for test in covering.tests_of(m)}) for m in mutants(root, "toy.py")]
runner = Runner(root, root, root / "children", 2, libraries=())
found = [(task.mutant.change, outcome.status) for task, outcome in runner.run(tasks)]
print(json.dumps(found))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(TESTS)
    return tmp_path


def test_mutants_are_small_changes_of_code_and_not_of_texts_or_assertions(toy: Path) -> None:
    found = mutants(toy, "toy.py")
    assert {(one.line, one.operator, one.change) for one in found} == {
        (3, "constant", "10 → 11"),
        (3, "constant", "10 → 9"),
        (6, "default argument", "LIMIT → None"),
        (6, "boolean", "True → False"),
        (10, "comparison", "> → >="),
        (10, "negate condition", "value > most → (not (value > most))"),
        (11, "drop if body", "result.append(most) continue → pass"),
        (11, "remove statement", "result.append(most) → pass"),
        (12, "continue/break", "continue → break"),
        (13, "remove statement", "result.append(value) → pass"),
        (15, "return None", "return result → return None"),
    }
    for one in found:
        assert ast.dump(ast.parse(one.apply(TOY))) != ast.dump(ast.parse(TOY))


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("a < b <= c", {"< → <=", "<= → <", "a < b <= c → (not (a < b <= c))"}),
        ("not (a and b)", {"not → ", "and → or"}),
        (
            "a or b or c",
            {"a or b or c → (not (a or b or c))", *(f"a or b or c → ({x})" for x in ("b or c", "a or c", "a or b"))},
        ),
        ("a[1:] is not None", {"is not → is", "1 → ", "1 → 2", "1 → 0"}),
        ("-a + f'{b + 1}'", {"- → ", "-a + f'{b + 1}' → (not (-a + f'{b + 1}'))"}),
    ],
)
def test_the_operators(tmp_path: Path, code: str, changes: set[str]) -> None:
    (tmp_path / "toy.py").write_text(f"def f(a, b, c):\n    while {code}:\n        pass\n")
    found = mutants(tmp_path, "toy.py")
    assert {one.change for one in found} == changes
    assert len(sample(tmp_path, found, 100, seed=1)) == len(changes)


def test_names_of_mutants_and_the_sample_do_not_depend_on_other_functions(toy: Path) -> None:
    before = mutants(toy, "toy.py")
    chosen = {one.name for one in sample(toy, before, 4, seed=1)}
    (toy / "toy.py").write_text(TOY.replace("LIMIT:", "\n\ndef other(x):\n    return x\n\n\nLIMIT:"))
    after = mutants(toy, "toy.py")
    assert {one.name for one in before} < {one.name for one in after}
    assert len(after) == len(before) + 1
    assert len(chosen & {one.name for one in sample(toy, after, 4, seed=1)}) >= 3
    assert chosen != {one.name for one in sample(toy, before, 4, seed=2)}


def test_a_real_change_is_killed_and_an_equivalent_one_survives(toy: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), str(toy)])}
    environment.pop("PYTEST_XDIST_WORKER", None)
    words = [sys.executable, "-c", SCRIPT, str(toy)]
    done = subprocess.run(words, cwd=toy, env=environment, capture_output=True, text=True, check=True)
    found = dict(json.loads(done.stdout.splitlines()[-1]))
    assert {change for change, status in found.items() if status == "survived"} == {
        "> → >=",
        "True → False",
        "continue → break",
    }
    assert {status for change, status in found.items()} == {"survived", "killed"}
    assert (toy / "toy.py").read_text() == TOY


def test_stages_hold_all_tests_once_and_grow() -> None:
    tests = {f"test{k}": 0.4 for k in range(200)}
    cut = list(stages(tests))
    assert [test for stage in cut for test in stage] == list(tests)
    assert [len(stage) for stage in cut] == [3, 13, 63, 121]


def test_the_report_lists_survivors_with_their_explanation(toy: Path) -> None:
    first, second, *_ = mutants(toy, "toy.py")
    results = [Result(first, Outcome("killed", "test")), Result(second, Outcome("survived"))]
    text = markdown(results, {second.name: "it is equivalent"}, "Seed 1.")
    assert "| **all** | 2 | 1 | 0 | 1 | 50.0% |" in text
    assert f"| {second.name} | toy.py:3 | constant: `10` → `9` | it is equivalent |" in text
    page = f"head\n{BEGIN}\nold\n{END}\ntail\n"
    assert insert(page, text) == f"head\n{BEGIN}\n\n{text}\n{END}\ntail\n"
