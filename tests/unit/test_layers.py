"""What the import linter cannot see."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import prequential

SOURCE = Path(prequential.__file__).parent


def test_from_the_root_package_come_only_the_compiled_module_and_packages() -> None:
    """The linter passes over imports of the root, because the compiled module has no source it could read."""
    packages = {p.name for p in SOURCE.iterdir() if p.is_dir()}
    for path in SOURCE.rglob("*.py"):
        if path == SOURCE / "__init__.py":
            continue
        for names in re.findall(r"^\s*from prequential import (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            for name in names.split(","):
                assert name.strip() == "_native" or name.strip() in packages, f"{path}: {name}"


def test_nothing_is_imported_that_is_not_declared() -> None:
    """A development tool may bring a module along that a user does not have."""
    declared = {"matplotlib", "numpy", "plotly", "prequential", "pyarrow", "rich", "scipy", "tomli_w", "typer"}
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                assert top in declared or top in sys.stdlib_module_names, f"{path}: {name}"


def test_what_is_public_is_sorted_and_there() -> None:
    assert prequential.__all__ == sorted(prequential.__all__)
    for name in prequential.__all__:
        assert hasattr(prequential, name)
