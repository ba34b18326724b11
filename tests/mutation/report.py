"""The result of a run as Markdown: a table of the packages, and the survivors with their explanations."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant
from mutation.runner import Outcome

BEGIN, END = "<!-- results: written by make mutate -->", "<!-- end of results -->"


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant, and what the tests said about it."""

    mutant: Mutant
    outcome: Outcome


def explanations(path: Path) -> dict[str, str]:
    """Return the explanation of each survivor by the name of the mutant."""
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {entry["name"]: " ".join(entry["why"].split()) for entry in data.get("survivor", [])}


def caught_share(results: Sequence[Result]) -> float:
    """Return the share of the mutants that tests have noticed."""
    return sum(one.outcome.is_caught for one in results) / len(results)


def markdown(results: Sequence[Result], why: dict[str, str], how: str) -> str:
    """Return the whole report."""
    return f"{how}\n\n{_table(results)}\n\n{_survivors(results, why)}\n"


def _table(results: Sequence[Result]) -> str:
    packages: dict[str, Counter[str]] = {}
    for one in results:
        packages.setdefault(Path(one.mutant.file).parent.name, Counter())[one.outcome.status] += 1
    total = sum(packages.values(), Counter())
    lines = ["| package | mutants | killed | timeout | survived | caught |", "|---|---|---|---|---|---|"]
    for name, counts in [*sorted(packages.items()), ("**all**", total)]:
        survived = counts["survived"] + counts["uncovered"]
        n = counts.total()
        row = (n, counts["killed"], counts["timeout"], survived, f"{1 - survived / n:.1%}")
        lines.append(f"| {name} | {' | '.join(map(str, row))} |")
    return "\n".join(lines)


def _survivors(results: Sequence[Result], why: dict[str, str]) -> str:
    left = sorted((one for one in results if not one.outcome.is_caught), key=lambda one: _place(one.mutant))
    if not left:
        return "No mutant survived."
    lines = ["| survivor | where | change | why |", "|---|---|---|---|"]
    for one in left:
        mutant = one.mutant
        reason = why.get(mutant.name, "no test reaches it" if one.outcome.status == "uncovered" else "not explained")
        where = f"{mutant.file.removeprefix('src/prequential/')}:{mutant.line}"
        change = f"{mutant.operator}: {_code(mutant.old)} → {_code(mutant.new)}"
        lines.append(f"| {mutant.name} | {where} | {change} | {reason} |")
    return "\n".join(lines)


def _place(mutant: Mutant) -> tuple[str, int, str]:
    return mutant.file, mutant.line, mutant.name


def _code(text: str) -> str:
    line = " ".join(text.split())
    line = line if len(line) <= 100 else f"{line[:60]} … {line[-30:]}"
    return f"`{line}`".replace("|", "\\|") if line else "(nothing)"


def insert(page: str, text: str) -> str:
    """Return a page with the results in it replaced."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{text}\n{END}{tail}"
