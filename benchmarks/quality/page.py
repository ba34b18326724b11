"""docs/quality.md, written from measured cells."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.quality.cell import Cell
from benchmarks.quality.entrant import ENTRANTS, Entrant
from prequential.comparisons import ranking, wilcoxon
from prequential.figures.ranks_matplotlib import draw_ranks

Means = dict[tuple[str, str, str], tuple[float, float, float, float, int]]
"""By library, learner and stream: accuracy, κ, seconds and bytes, means over seeds, and how many seeds."""

ALLOWED = {False: 0.5, True: 1.0}
"""How many points below MOA's a learner may be: deterministic, randomised."""

HEAD = """# Quality

Written by `make quality`: the reference learners on real streams, beside the same learners of MOA and of River with the
same parameters; test-then-train, accuracy in percent over all records, an abstention is an error. Differences are in
points of accuracy. Randomised learners are means over seeds; with one seed a difference of a point or two is chance.
Seconds are of the processor, in MOA reading included, on a machine that others used too: not a benchmark of speed, for
that see [benchmarks](../benchmarks/results.md). Bytes are those of the model at the end. A dash: the library has no
such learner, or it has not been run.

"""


EXPERIMENTS = """
Experiments of 2026-11-18. Dynamic weighted majority on PAKDD: with experts `naive_bayes:densities=moa` it has
MOA's 62.28, so the densities cause it; alone, naive Bayes gains 3.4 points there. The Hoeffding tree on Poker: with
`densities=moa` it has 72.47, so the densities do not cause it; what is left is how the gain of a split is measured.
"""


def means(cells: list[Cell]) -> Means:
    """Average cells over seeds."""
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.library, cell.learner, cell.stream), []).append(cell)
    return {
        key: (
            float(np.mean([c.accuracy for c in group])),
            float(np.mean([c.kappa for c in group])),
            float(np.mean([c.seconds for c in group])),
            float(np.mean([c.nbytes for c in group])),
            len({c.seed for c in group}),
        )
        for key, group in groups.items()
    }


def write(cells: list[Cell], page: Path, figure: Path, asked: str) -> None:
    """Write the page and its figure; ``asked`` says what was run."""
    found = means(cells)
    streams = sorted({cell.stream for cell in cells})
    ours = [e for e in ENTRANTS if all(("prequential", e.name, s) in found for s in streams)]
    table = np.array([[found["prequential", e.name, s][0] for e in ours] for s in streams])
    ranks = ranking(table, [e.name for e in ours], streams, metric="accuracy")
    draw_ranks(ranks).savefig(figure, dpi=110, bbox_inches="tight")
    versions = sorted({f"{cell.library} ({cell.version})" for cell in cells})
    test, cd = ranks.friedman, ranks.nemenyi.critical_difference
    n_different = sum(pair.p_value < 0.05 for pair in ranks.pairs)
    parts = [
        HEAD,
        f"{asked}\nLibraries: {', '.join(versions)}.\n",
        _summary(found, ours, streams),
        _below(found, streams),
        EXPERIMENTS,
        f"\n## Which of ours differ\n\nMean ranks over {len(streams)} streams; learners that a bar connects do not "
        f"differ (Nemenyi, α = 0.05, critical difference {cd:.2f}). Friedman χ² = {test.statistic:.1f}, "
        f"p = {test.p_value:.2g}. Wilcoxon's test with Holm's correction finds {n_different} of {len(ranks.pairs)} "
        f"pairs different.\n\n![Mean ranks of the reference learners]({figure.name})\n",
    ]
    parts += [_of(e, found, streams) for e in ENTRANTS if any(("prequential", e.name, s) in found for s in streams)]
    page.write_text("".join(parts), encoding="utf-8")


def _summary(found: Means, ours: list[Entrant], streams: list[str]) -> str:
    lines = [
        "\n## Means\n\n| learner | seeds | ours | MOA | ours − MOA | higher / lower | Wilcoxon p | streams with MOA "
        "| River | ours − River |\n|---|---|---|---|---|---|---|---|---|---|\n"
    ]
    for e in ours:
        seeds = {found["prequential", e.name, s][4] for s in streams}
        row = [e.name, "/".join(map(str, sorted(seeds))) if e.randomised else "–"]
        row.append(f"{np.mean([found['prequential', e.name, s][0] for s in streams]):.2f}")
        mine, theirs = _both(found, "MOA", e, streams)
        if len(mine):
            d = mine - theirs
            p = f"{wilcoxon(mine, theirs).p_value:.3f}" if (d != 0).sum() >= 6 else "–"
            row += [f"{theirs.mean():.2f}", f"{d.mean():+.2f}", f"{(d > 0).sum()} / {(d < 0).sum()}", p, str(len(mine))]
        else:
            row += ["–"] * 5
        mine, theirs = _both(found, "River", e, streams)
        row += [f"{theirs.mean():.2f}", f"{(mine - theirs).mean():+.2f}"] if len(mine) else ["–", "–"]
        lines.append("| " + " | ".join(row) + " |\n")
    return "".join(lines)


def _both(found: Means, library: str, e: Entrant, streams: list[str]) -> tuple[np.ndarray, np.ndarray]:
    shared = [s for s in streams if (library, e.name, s) in found and ("prequential", e.name, s) in found]
    return tuple(np.array([found[of, e.name, s][0] for s in shared]) for of in ("prequential", library))  # type: ignore[return-value]  # two


def _below(found: Means, streams: list[str]) -> str:
    lines = []
    for e in ENTRANTS:
        for s in streams:
            if ("MOA", e.name, s) not in found or ("prequential", e.name, s) not in found:
                continue
            mine, theirs = found["prequential", e.name, s][0], found["MOA", e.name, s][0]
            if mine < theirs - ALLOWED[e.randomised]:
                n = found["MOA", e.name, s][4]
                lines.append(f"| {e.name} | {s} | {mine:.2f} | {theirs:.2f} | {mine - theirs:+.2f} | {n} |\n")
    head = "\n## Where we are behind MOA\n\nBy more than 0.5 points, randomised learners by more than 1: "
    if not lines:
        return head + "nowhere.\n"
    return (
        head
        + f"{len(lines)} cells.\n\n| learner | stream | ours | MOA | ours − MOA | seeds of MOA |\n"
        + "|---|---|---|---|---|---|\n"
        + "".join(lines)
    )


def _of(e: Entrant, found: Means, streams: list[str]) -> str:
    lines = [
        f"\n## {e.name}\n\nOurs `{e.ours}`"
        + (f", MOA `{e.moa}`" if e.moa else "")
        + ".\n\n| stream | ours | κ | seconds | bytes | MOA | κ | seconds | ours − MOA | River | κ | seconds |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    ]
    for s in streams:
        mine = found.get(("prequential", e.name, s))
        if mine is None:
            continue
        row = [s, f"{mine[0]:.2f}", f"{mine[1]:.2f}", f"{mine[2]:.3f}", f"{mine[3]:,.0f}"]
        moa, river = found.get(("MOA", e.name, s)), found.get(("River", e.name, s))
        row += [f"{moa[0]:.2f}", f"{moa[1]:.2f}", f"{moa[2]:.2f}", f"{mine[0] - moa[0]:+.2f}"] if moa else ["–"] * 4
        row += [f"{river[0]:.2f}", f"{river[1]:.2f}", f"{river[2]:.2f}"] if river else ["–"] * 3
        lines.append("| " + " | ".join(row) + " |\n")
    return "".join(lines)
