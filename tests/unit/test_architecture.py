"""The shape of the code: what the linters cannot see."""

from __future__ import annotations

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import prequential
from prequential.protocols.protocol import PROTOCOLS

SOURCE = Path(prequential.__file__).parent
ROOT = SOURCE.parents[1]
FILES = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


Trees = dict[str, ast.Module]


def module_of(name: str) -> str:
    """Return the module of a file."""
    return ".".join(("prequential", *Path(name).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_of(name): name for name in FILES}


def imports(node: ast.AST) -> Iterator[str]:
    """Yield the modules of this package that some code imports, also in functions, but not for types alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.ImportFrom) and child.module and child.module.startswith("prequential"):
            for alias in child.names:
                inner = f"{child.module}.{alias.name}"
                if alias.name != "_native":
                    yield inner if inner in MODULES else child.module
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names if alias.name in MODULES)
        yield from imports(child)


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(one: str) -> None:
        index[one] = low[one] = len(index)
        stack.append(one)
        for other in graph[one]:
            if other not in index:
                visit(other)
                low[one] = min(low[one], low[other])
            elif other in stack:
                low[one] = min(low[one], index[other])
        if low[one] == index[one]:
            group = stack[stack.index(one) :]
            del stack[stack.index(one) :]
            if len(group) > 1:
                found.append(sorted(group))

    for one in graph:
        if one not in index:
            visit(one)
    return found


def test_no_modules_import_each_other_not_even_inside_functions() -> None:
    graph = {module: set(imports(TREES[name])) & set(MODULES) - {module} for module, name in MODULES.items()}
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]], "the check itself"
    hidden = "def f():\n    from prequential.evaluation import driver\n    import prequential.wording"
    assert list(imports(ast.parse(hidden))) == ["prequential.evaluation.driver", "prequential.wording"]
    assert cycles(graph) == []


def calls(tree: ast.AST, attribute: str) -> Iterator[ast.Call]:
    """Yield the calls of a method."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == attribute:
            yield node


def feeders(trees: Trees) -> set[tuple[str, str]]:
    """Return where chunks reach an engine, where they reach a tally, and where workers are made outside engines."""
    found = set()
    for name, tree in trees.items():
        found |= {("engine", name) for call in calls(tree, "submit") if "engine" in ast.unparse(call.func).lower()}
        found |= {("tally", name) for call in calls(tree, "step") if "tally" in ast.unparse(call.func)}
        if "Worker(" in ast.unparse(tree) and not name.startswith("engines/"):
            found.add(("worker", name))
    return found


FEEDERS = {("engine", "evaluation/driver.py"), ("tally", "engines/worker.py")}


def test_one_class_feeds_the_tallies_of_all_runs() -> None:
    """Chunks reach an engine in the driver alone, and a tally in a worker alone: a second loop would show here."""
    assert feeders(TREES) == FEEDERS
    for code in ("engine.submit(chunk)", "self._engine.submit(chunk)", "replica.tally.step(chunk)", "Worker(jobs)"):
        loop = ast.parse(f"def score_all(stream, engine, replica):\n    for chunk in stream:\n        {code}\n")
        assert len(feeders(TREES | {"scoring/second.py": loop}) - FEEDERS) == 1, code


def test_grids_are_made_where_predictions_are_counted() -> None:
    """By tallies (protocols), by detectors beside a learner or on a series, for pairs and losses, by the live scorer.

    The loop of the live scorer is the user's; it makes its grid of the same settings as a run, and has no other counts.
    """
    counters = {"comparisons/loss_series.py", "comparisons/pairs.py", "scoring/scorer.py"}
    assert grids(TREES) == {*counters, "drift/series_state.py", "drift/watch.py"}
    for code in ("Grid(metrics)", "_native.Grid(2)", "setting.grid()", "self._setting.grid()", "Grid.empty()"):
        assert "scoring/second.py" in grids(TREES | {"scoring/second.py": ast.parse(f"made = {code}")}), code
    single = [name for name, tree in TREES.items() for how in SINGLE_RECORDS for _ in calls(tree, how)]
    assert set(single) == {"scoring/scorer.py"}, "records are counted one by one where they come one by one"


def grids(trees: Trees) -> set[str]:
    """Return the files, except those of protocols and of the class itself, that make a grid."""
    makes = re.compile(r"\bGrid\(|\bGrid\.\w+\(|setting\.grid\(")
    return {
        name
        for name, tree in trees.items()
        if makes.search(_code(tree)) and name != "metrics/grid.py" and not name.startswith("protocols/")
    }


SINGLE_RECORDS = ("update_one", "update_margin", "update_number")


def test_the_live_scorer_has_the_settings_and_the_grid_of_a_run() -> None:
    text = ast.unparse(TREES["scoring/scorer.py"])
    assert "UncheckedSettings(" in text
    assert "self._setting.grid()" in text
    assert "Counts" not in text, "it computes metrics as the trace does, by `measured`"
    assert "measured(" in text


def test_manifests_and_recorders_are_made_in_one_place() -> None:
    for what, where in (("Manifest", "evaluation/experiment.py"), ("Recorder", "evaluation/begin_run.py")):
        made = [name for name, tree in TREES.items() if re.search(rf"(?<![\w.]){what}\(", _code(tree))]
        assert made == [where], what


def _code(tree: ast.Module) -> str:
    """Return code without its classes' heads."""
    return re.sub(r"^class .*$", "", ast.unparse(tree), flags=re.MULTILINE)


CLASSES = {"Protocol", *(cls.__name__ for cls in PROTOCOLS.values())}


def class_tests(tree: ast.AST) -> Iterator[str]:
    """Yield the code that asks for the class of a protocol."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            classes = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
            classes |= {name.attr for name in ast.walk(node.args[1]) if isinstance(name, ast.Attribute)}
            if classes & CLASSES:
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "type":
            if any("protocol" in ast.unparse(given).lower() for given in node.args):
                yield ast.unparse(node)
        elif isinstance(node, ast.Attribute) and node.attr == "__class__":
            if "protocol" in ast.unparse(node.value).lower():
                yield ast.unparse(node)
        elif isinstance(node, ast.MatchClass) and ast.unparse(node.cls).rpartition(".")[2] in CLASSES:
            yield ast.unparse(node)


def test_nobody_asks_a_protocol_for_its_class() -> None:
    for name, tree in TREES.items():
        if not name.startswith("protocols/"):
            assert list(class_tests(tree)) == [], name
    for code in (
        "isinstance(self.protocol, Delayed)",
        "isinstance(p, (KFold, pq.Holdout))",
        "isinstance(p, str | Protocol)",
        "issubclass(type(p), Prequential)",
        "type(setting.protocol) is KFold",
        "protocol.__class__ is KFold",
        "match protocol:\n    case KFold():\n        pass",
    ):
        assert len(list(class_tests(ast.parse(code)))) == 1, code


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(trees: Trees) -> Iterator[tuple[str, Function]]:
    """Yield all functions with their files."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield name, node


def n_lines(node: Function, *, whole: bool = False) -> int:
    """Return the lines of a function, without its docstring and, unless it is wanted whole, its signature."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    text = ast.get_docstring(node)
    if whole:
        return (node.end_lineno or 0) - node.lineno + 1 - (0 if text is None else text.count("\n") + 1)
    return (node.end_lineno or 0) - body[0].lineno + 1


def test_functions_that_were_long_are_short() -> None:
    found = {(name, node.name): node for name, node in functions(TREES)}
    assert n_lines(found["evaluation/evaluate.py", "evaluate"]) <= 60
    assert n_lines(found["cli/run.py", "run"], whole=True) <= 100


PUBLIC = {
    *("evaluation/evaluate.py: evaluate", "evaluation/detect.py: detect", "power/experiment.py: power"),
    *("scoring/score.py: score", "scoring/score_delayed.py: score_delayed"),
    *("streams/readers/file.py: read", "streams/readers/table.py: from_table", "streams/readers/csv.py: __init__"),
}
"""Functions of the public API, which document each of their parameters; `pq.read` gives its own to `CsvStream`."""


def with_many_parameters(trees: Trees) -> set[str]:
    """Return the functions with more than 12 parameters, except those of the command line."""
    found = set()
    for name, node in functions(trees):
        given = node.args
        names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        if len(names) - (names[:1] in (["self"], ["cls"])) > 12 and not name.startswith("cli/"):
            found.add(f"{name}: {node.name}")
    return found


def test_few_parameters_outside_the_public_functions_and_the_command_line() -> None:
    assert with_many_parameters(TREES) == PUBLIC
    names = ", ".join(f"p{k}" for k in range(13))
    many = ast.parse(f"class A:\n    async def read(self, {names}):\n        pass")
    assert with_many_parameters({"scoring/second.py": many}) == {"scoring/second.py: read"}


def test_files_are_short() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in FILES.items()}
    assert statistics.median(lengths.values()) <= 130
    for name, n in lengths.items():
        if n > 400:
            reason = ast.get_docstring(TREES[name]) or ""
            assert "long" in reason, f"{name} has {n} lines, and its docstring does not say why"
    for package, most in {"report": 25, "tables": 25, "figures": 25}.items():
        assert sum(name.startswith(f"{package}/") for name in FILES) <= most, package


ARCHAIC = (
    *("that is none", "but for", "anew", "will do", "cannot be had", "on its way", "found by itself", "is told"),
    *(
        "take up",
        "taken up",
        "takes up",
        "is no more",
        "go on where",
        "of one's own",
        "if need be",
        "who asks",
        "as you like",
    ),
)


@pytest.mark.parametrize("pattern", ARCHAIC)
def test_prose_is_plain(pattern: str) -> None:
    """Patterns that the style guide replaces by plain words; "a X a Y" is left to readers."""
    prose = [*FILES.values(), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "native").rglob("*.?pp")]
    for folder in ("tests", "benchmarks", "examples"):
        prose += [path for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]
    found = [
        f"{path.relative_to(ROOT)}:{k}: {line.strip()}"
        for path in prose
        for k, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(rf"\b{pattern}\b", line.replace("_", " "), re.IGNORECASE)
    ]
    assert found == []


def test_from_the_root_package_come_only_the_compiled_module_and_packages() -> None:
    """The import linter takes the compiled module, which has no source, for the root package."""
    packages = {path.name for path in SOURCE.iterdir() if path.is_dir()}
    for name, path in FILES.items():
        if name == "__init__.py":
            continue
        for names in re.findall(r"^\s*from prequential import (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            for one in names.split(","):
                assert one.strip() == "_native" or one.strip() in packages, f"{path}: {one}"


ON_REQUEST = {
    "drift/river_detector.py": "river",
    "learners/river_classifier.py": "river",
    "learners/sklearn_classifier.py": "sklearn",
}
"""Modules that need an optional library: their classes derive from its classes."""


def test_nothing_is_imported_that_is_not_declared() -> None:
    """A development tool may bring a module along that a user does not have."""
    declared = {"matplotlib", "numpy", "plotly", "prequential", "pyarrow", "rich", "scipy", "tomli_w", "typer"}
    for name, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            for one in names:
                top = one.partition(".")[0]
                assert top in {*declared, *sys.stdlib_module_names, ON_REQUEST.get(name)}, f"{name}: {one}"


def test_modules_that_need_an_optional_library_are_imported_in_functions_only() -> None:
    wanted = {module_of(name) for name in ON_REQUEST}
    for name, tree in TREES.items():
        at_once = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])
        assert not wanted & set(imports(at_once)), name


def test_what_is_public_is_there() -> None:
    """The linter sorts the list."""
    assert len(prequential.__all__) == len(set(prequential.__all__))
    for name in prequential.__all__:
        assert hasattr(prequential, name)
