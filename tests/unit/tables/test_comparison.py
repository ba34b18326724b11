"""Two learners compared, as text, HTML, JSON and a figure."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from prequential.comparisons import PairedTrace
from prequential.comparisons.pairs import count_pairs
from prequential.errors import InputError
from prequential.runs.known_drift import KnownDrift
from prequential.tables.comparison import Comparison


def losses(n: int, error: float, seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).random(n) < error).astype(int)


@pytest.fixture(scope="module")
def clear() -> Comparison:
    found = Comparison.from_losses(
        losses(20_000, 0.15, 1), losses(20_000, 0.20, 2), a="tree <$1$>", b="sgd", forgetting=["sliding:500"], every=500
    )
    drifts = (KnownDrift(5000, 5000, True), KnownDrift(9000, 11_000, True))
    return Comparison(found.trace, "elec", drifts)


def test_the_conclusion_names_who_errs_less_by_how_much_and_when(clear: Comparison) -> None:
    row = clear.trace.last()[0]
    near, far = -100 * float(str(row["sequence_high"])), -100 * float(str(row["sequence_low"]))
    assert clear.conclusion == (
        "After 20,000 records the confidence sequence excludes 0: tree <$1$> errs "
        f"{near:.2f} to {far:.2f} percentage points less than sgd (95 %, however often one looks)."
    )
    assert 0 < near < 5 < far


def test_the_conclusion_of_the_turned_pair_says_more(clear: Comparison) -> None:
    pairs = count_pairs(1 - losses(20_000, 0.15, 1), 1 - losses(20_000, 0.2, 2), a="x", b="y")
    text = Comparison(PairedTrace.of_pairs(pairs, "y", "x")).conclusion
    assert "y errs" in text
    assert "more than x" in text


def test_a_sequence_that_contains_0_claims_nothing() -> None:
    text = Comparison.from_losses(losses(2000, 0.2, 1), losses(2000, 0.2, 2)).conclusion
    assert text.startswith("After 2,000 records the confidence sequence contains 0: A may err up to ")
    assert "equally good" not in text


def test_a_sequence_that_excluded_0_before_says_until_when() -> None:
    a = np.concatenate([losses(4000, 0.1, 1), losses(4000, 0.5, 2)])
    b = np.concatenate([losses(4000, 0.3, 3), losses(4000, 0.3, 4)])
    comparison = Comparison.from_losses(a, b)
    assert "contains 0" in comparison.conclusion
    assert "It excluded 0 before, last after " in comparison.conclusion
    assert "that they are equally good at every record is rejected (e-process, p < 0.0001)" in comparison.conclusion


def test_weights_leave_no_sequence_and_the_conclusion_says_why() -> None:
    pairs = count_pairs([1, 0, 1], [0, 0, 1], weight=[1.0, 2.0, 1.0])
    text = Comparison(PairedTrace.of_pairs(pairs, "A", "B")).conclusion
    assert text.startswith("After 3 records there is no confidence sequence of A and B: records have weights")


def test_without_all_history_the_conclusion_says_what_is_missing() -> None:
    pairs = count_pairs([1, 0, 1], [0, 0, 1], forgetting=["sliding:2"])
    window = pairs.filter(pa.compute.equal(pairs["forgetting"].cast(pa.string()), "sliding:2"))
    comparison = Comparison(PairedTrace.of_pairs(window, "A", "B"))
    assert "needs the forgetting 'cumulative'" in comparison.conclusion
    assert len(comparison.figure().axes) == 3


def folded(n_folds: int, error_b: float = 0.3) -> Comparison:
    parts = []
    for fold in range(n_folds):
        pairs = count_pairs(1 - losses(500, 0.2, fold), 1 - losses(500, error_b, 100 + fold))
        parts.append(pairs.set_column(2, "fold", pa.array([fold] * len(pairs), pa.int32())))
    return Comparison(PairedTrace.of_pairs(pa.concat_tables(parts).unify_dictionaries(), "A", "B"))


def test_folds_are_judged_by_the_tests_over_folds() -> None:
    text = folded(10).conclusion
    assert text.startswith(
        "Over 10 folds (cumulative) A is better than B: Wilcoxon p = 0.0020 (exact), accuracy differs"
    )
    assert text.endswith("A is better in 10 of 10 folds, sign test p = 0.0020.")
    assert "no difference between A and B is shown" in folded(10, 0.2).conclusion
    data = folded(10).to_dict()["over_folds"][0]
    assert data["wilcoxon_p_value"] == pytest.approx(2 / 1024)
    table = folded(10).to_arrow().to_pylist()
    ends = [row for row in table if row["n"] == 500 and row["forgetting"] == "cumulative"]
    mean = sum(row["difference"] for row in ends) / 10
    lines = [line.split() for line in str(folded(10)).splitlines()]
    row = next(line for line in lines if line[:1] == ["cumulative"])
    assert row[1:] == ["500", *row[2:4], f"{mean:.4f}", "10", "of", "10", "0.0020", "0.0020"]


def test_too_few_folds_say_how_many_are_needed() -> None:
    assert "needs at least 6 folds" in folded(4).conclusion
    assert "¹ The sign test needs at least 6 folds" in str(folded(4))
    assert "needs at least 6 folds" in folded(4).to_dict()["over_folds"][0]["reason"]


def test_the_table_prints_every_forgetting_and_every_digit(clear: Comparison) -> None:
    text = str(clear)
    row = clear.trace.last()[0]
    assert "elec · A = tree <$1$>, B = sgd" in text
    assert f"{row['difference']:.4f}" in text
    assert f"{row['mcnemar']:.2f}" in text
    assert "sliding:500" in text
    assert clear.conclusion in text
    assert "< 0.0001" in text


def test_degenerate_values_have_a_footnote() -> None:
    text = str(Comparison.from_losses([0] * 10, [0] * 10).table())
    assert "¹" in text
    assert "the learners have the same loss on every record, so p = 1" in text
    assert "neither learner has any loss" in text


def test_html_is_escaped(clear: Comparison) -> None:
    page = clear._repr_html_()
    assert "tree &lt;$1$&gt;" in page
    assert "<$1$>" not in page


def test_json_has_no_nan() -> None:
    found = Comparison.from_losses([0] * 10, [0, 1] * 5)
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["last"][0]["q"] is None
    assert "the first learner has no loss" in data["last"][0]["reason"]
    assert data["conclusion"] == found.conclusion


def test_the_numbers_come_as_a_frame(clear: Comparison) -> None:
    frame = clear.to_pandas()
    assert len(frame) == 2 * 40
    assert {"q", "mcnemar", "sequence_low", "anytime_p_value", "reason"} <= set(frame.columns)


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_figure_is_written_and_the_same_each_time(
    clear: Comparison, tmp_path: Path, suffix: str, magic: bytes
) -> None:
    first = clear.save_figure(tmp_path / f"a{suffix}").read_bytes()
    assert first.startswith(magic)
    assert first == clear.save_figure(tmp_path / f"b{suffix}").read_bytes()


def test_the_figure_draws_m_with_its_critical_values_q_and_the_difference(clear: Comparison) -> None:
    fig = clear.figure()
    m, q, difference = fig.axes
    heights = [np.asarray(line.get_ydata()).tolist() for line in m.lines]
    levels = [height[0] for height in heights if len(set(height)) == 1]
    assert {-6.635, 6.635} <= set(levels)
    drawn = next(line for line in m.lines if np.size(line.get_xdata()) == 40)
    np.testing.assert_array_equal(drawn.get_ydata(), clear.trace.series("cumulative")["mcnemar"])
    assert "tree <$1$>" in q.get_title(loc="left")
    assert len(difference.collections) == 1  # the band of the sequence
    assert fig._repr_png_().startswith(b"\x89PNG")


def test_a_figure_of_one_checkpoint_and_of_equal_learners_is_drawn(tmp_path: Path) -> None:
    Comparison.from_losses([0, 1], [0, 1]).save_figure(tmp_path / "a.png")
    Comparison.from_losses([0] * 9, [0] * 9, every=2).save_figure(tmp_path / "b.png")


@pytest.mark.parametrize(
    ("a", "b", "more", "message"),
    [
        ([-0.5], [0], {}, "at least 0. Record 0 of A has -0.5"),
        ([0.5, float("nan")], [0, 1], {}, "Record 1 of A"),
        (["x"], [0.5], {}, "not numbers"),
        ([0.5, 1], [0.5], {}, "A has 2 losses, B has 1"),
        ([], [], {}, "no losses"),
        ([0.5, 3], [0.5, 1], {"bound": 2}, "record 1 is 3, more than bound=2"),
        ([0.5], [0.5], {"bound": -1}, "largest possible loss"),
        ([0.5], [0.5], {"bound": "guessed"}, "learned"),
        ([0.5], [0.5], {"forgetting": "adaptive"}, "no such window in common"),
        ([0.5], [0.5], {"forgetting": "sliding:7s"}, "needs the time"),
    ],
)
def test_bad_losses_are_refused(a: list[object], b: list[object], more: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Comparison.from_losses(a, b, **more)  # type: ignore[arg-type]


def test_a_comparison_by_a_loss_has_its_table_figures_and_data(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(8000), rng.random(8000) ** 0.5
    found = Comparison.from_losses(
        a, b, a="x", b="y", loss="squared", bound=1, forgetting=["sliding:100", "fading:0.99"]
    )
    assert "squared A" in str(found)
    assert "confidence sequence excludes 0: the mean squared of x is" in found.conclusion
    assert found.to_dict()["loss"] == "squared"
    assert {"q", "batch_low", "sequence_low"} <= set(found.to_dict()["last"][0])
    for suffix in ("png", "svg"):
        assert found.save_figure(tmp_path / f"a.{suffix}").stat().st_size > 1000
    assert len(found.plot().data) > 4
    unbounded = Comparison.from_losses(a, b)
    assert "needs the largest possible loss" in str(unbounded)
    assert "interval by batch means excludes 0" in unbounded.conclusion
    assert "there is no interval" in Comparison.from_losses(a[:1500], b[:1500]).conclusion


def test_an_unknown_suffix_is_refused(clear: Comparison, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="suffix"):
        clear.save_figure(tmp_path / "a.bmp")
