"""Pictures of the testbed: they show the model, and files are self-contained."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError
from prequential.testbed import Gaussian, Mixture, MixtureClass, Transform
from prequential.testbed.mixture_animation import N_FRAMES, animated, mixture_page
from prequential.testbed.mixture_figure import print_mixture
from prequential.testbed.mixture_view import MixtureView


def small(**options: object) -> Mixture:
    """A stream of 300 records, in which one of three classes appears."""
    going = Transform(0, 200, move=[4, 0], weight=0.5)
    classes = [
        MixtureClass("<b>$A", [Gaussian([0, 0], [1, 2], rotation=30, transforms=[going])]),
        MixtureClass("B", [Gaussian([3, 3], [1, 1], start=100)]),
        MixtureClass("C", [Gaussian([-3, 3], [0.5, 1])]),
    ]
    return Mixture(**{"classes": classes, "n_records": 300, "name": "small $x$ <i>", **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def view() -> MixtureView:
    return MixtureView(pq.testbed.stream(small()))


def test_ellipses_hold_the_shares_of_a_normal_distribution(view: MixtureView) -> None:
    """A share 1 − exp(−k²/2) of a plane normal distribution lies within k standard deviations."""
    one = view.mixture.classes[0].gaussians[0]
    drawn = Mixture(classes=[MixtureClass("A", [one])], n_records=300)
    X, _ = drawn.sample(np.full(40_000, 150), seed=2)
    ellipse = view.moment(150, before=10, after=10).ellipses[0]
    from matplotlib.path import Path as Outline

    for line, k in ((ellipse.inner, 1), (ellipse.outer, 2)):
        assert Outline(line).contains_points(X).mean() == pytest.approx(1 - np.exp(-(k**2) / 2), abs=0.012)


def test_intensity_is_the_prior_and_a_gaussian_without_one_is_not_shown(view: MixtureView) -> None:
    before, after = (view.moment(at, before=5, after=5).ellipses for at in (99, 100))
    assert [one.label for one in before] == [0, 2]
    assert [one.label for one in after] == [0, 1, 2]
    np.testing.assert_allclose([one.share for one in after], view.mixture.shares(100)[0])


def test_the_boundary_is_where_two_classes_are_equally_likely(view: MixtureView) -> None:
    for at in (0, 50, 299):
        lines = view.moment(at, before=5, after=5).boundary
        assert lines
        points = np.concatenate(lines)
        posterior = np.sort(view.mixture.posterior(points, at), axis=1)
        off = posterior[:, -1] - posterior[:, -2]
        assert np.quantile(off, 0.98) < 0.005
        assert off.max() < 0.1, "except where three classes meet"


def test_records_are_those_of_the_stream_around_the_moment(view: MixtureView) -> None:
    (whole,) = view.stream.chunks(300)
    moment = view.moment(50, before=20, after=30)
    np.testing.assert_array_equal(moment.X, whole.X[30:80])
    np.testing.assert_array_equal(moment.y, whole.y[30:80])
    np.testing.assert_array_equal(view.moment(295, before=5, after=30).X, whole.X[290:300])


def test_the_error_so_far_is_that_of_the_optimal_classifier(view: MixtureView) -> None:
    marks, error = view.error_so_far
    run = pq.evaluate(view.stream, pq.testbed.Optimal(), metrics="accuracy", forgetting="cumulative", every=1)
    values = run.to_arrow()
    found = dict(zip(values["n"].to_pylist(), values["value"].to_pylist(), strict=True))
    np.testing.assert_allclose(error, [1 - found[n + 1] for n in marks.tolist()], atol=1e-12)


def test_a_long_stream_is_seen_without_being_kept() -> None:
    long = MixtureView(pq.testbed.stream("NSGT", n=1_000_000))
    assert len(long.moment(999_000, before=100, after=100).X) == 200


def test_gradual_changes_that_overlap_are_one_and_abrupt_ones_stay() -> None:
    assert [(d.begin, d.end) for d in MixtureView(pq.testbed.stream("NSCX")).drifts] == [(0.5, 9999.5)]
    assert [d.abrupt for d in MixtureView(pq.testbed.stream("NSGT-I")).drifts] == [False, True, False]


def test_figures_are_drawn_and_written(tmp_path: Path, view: MixtureView) -> None:
    fig = print_mixture(view)
    for suffix in ("png", "svg"):
        fig.savefig(tmp_path / f"a.{suffix}")
        assert (tmp_path / f"a.{suffix}").stat().st_size > 10_000
    titles = [ax.get_title(loc="left") for ax in fig.axes]
    assert titles[:4] == ["record 0", "record 100", "record 199", "record 299"]


def test_an_animation_has_a_frame_for_each_moment_and_a_slider_to_it(view: MixtureView) -> None:
    figure = animated(view)
    names = [frame["name"] for frame in figure["frames"]]
    assert len(names) == N_FRAMES + 1
    assert names[0] == "0"
    assert names[-1] == "299"
    (slider,) = figure["layout"]["sliders"]
    assert [step["args"][0] for step in slider["steps"]] == [[name] for name in names]
    assert slider["steps"][-1]["label"].startswith("record 299 · priors ")
    for frame in figure["frames"]:
        assert len(frame["traces"]) == len(frame["data"])
        assert max(frame["traces"]) == len(figure["data"]) - 1
    json.dumps(figure, allow_nan=False)


def test_a_frame_draws_the_ellipses_of_its_moment(view: MixtureView) -> None:
    figure = animated(view)
    frame = figure["frames"][-1]
    wide = frame["data"][3]  # after the records of three classes: the first Gaussian, two standard deviations
    np.testing.assert_allclose(
        np.stack([wide["x"], wide["y"]], axis=1), view.moment(299, before=1, after=1).ellipses[0].outer, atol=0.001
    )


def test_the_page_loads_nothing_and_names_cannot_break_it(view: MixtureView) -> None:
    page = mixture_page(view)
    assert "small $x$ &lt;i&gt;" in page
    assert "<b>$A" not in page
    assert "small $x$ <i>" not in page
    head = page.split("<script>", 1)[0]
    assert not re.search(r"(src|href)\s*=", head)
    assert mixture_page(view) == page, "the same stream gives the same page"


def test_of_more_than_two_features_two_are_seen_and_no_boundary() -> None:
    view = MixtureView(pq.testbed.stream("NSGT-5D"))
    moment = view.moment(5000, before=50, after=50)
    assert moment.boundary == ()
    assert moment.X.shape == (100, 2)
    assert "two of 5 features" in view.title


def test_one_feature_cannot_be_seen() -> None:
    line = Mixture(classes=[MixtureClass("A", [Gaussian([0], [1])])], n_records=100, name="line")
    with pytest.raises(InputError, match="line has one feature"):
        MixtureView(pq.testbed.stream(line))


def test_a_stream_of_one_class_or_one_record_is_drawn(tmp_path: Path) -> None:
    alone = Mixture(classes=[MixtureClass("A", [Gaussian([0, 0], [1, 1])])], n_records=1)
    alone.save_figure(tmp_path / "alone.png")
    page = pq.testbed.animate(alone, tmp_path / "alone.html")
    assert page.stat().st_size > 1_000_000


def test_a_page_must_be_called_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Accepted: \.html"):
        pq.testbed.animate("NSGT", tmp_path / "a.gif")
