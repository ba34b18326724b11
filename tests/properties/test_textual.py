"""The text of an object builds the same object."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prequential as pq
from prequential.drift.catalogue import DETECTORS
from prequential.learners.catalogue import LEARNERS
from prequential.metrics.forgetting import FORGETTINGS
from prequential.protocols.protocol import PROTOCOLS
from prequential.streams.compositions.delayed import DELAYS
from prequential.textual import Catalogue

shares = st.floats(0.001, 0.999)
whole = st.integers(1, 10**9)
forgettings = st.one_of(
    st.just(pq.Cumulative()),
    st.builds(pq.Sliding, whole),
    st.builds(pq.Sliding, seconds=st.floats(0.001, 1e9)),
    st.builds(pq.Fading, shares),
    st.builds(pq.AdaptiveWindow, shares, st.floats(0.001, 1e6)),
    st.builds(pq.ExponentialHistogram, whole, shares),
)
detectors = st.one_of(
    st.builds(pq.drift.DDM, level=st.floats(0.1, 10), min_records=st.integers(1, 99)),
    st.builds(pq.drift.PageHinkley, threshold=st.floats(0.1, 1e3), under=st.none() | forgettings),
    st.builds(pq.drift.ADWIN, delta=shares, direction=st.sampled_from([None, "up", "both"])),
)
leaves = st.one_of(
    st.builds(pq.learners.KNN, n_neighbors=st.integers(1, 9), window_size=st.integers(9, 99)),
    st.builds(pq.learners.SGD, loss=st.sampled_from(["log", "hinge"]), l2=shares, standardise=st.booleans()),
    st.builds(pq.learners.HoeffdingTree, grace_period=st.integers(1, 999), delta=shares),
)
of_a_learner = st.builds(pq.drift.DDM, level=st.floats(0.1, 10), under=st.none() | st.builds(pq.Fading, shares))
learners = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(pq.learners.OnlineBagging, base=inner, n_models=st.integers(1, 9)),
        st.builds(pq.learners.DriftReset, base=inner, detector=of_a_learner),
    ),
    max_leaves=4,
)
protocols = st.one_of(
    st.builds(pq.Prequential, pretrain=whole),
    st.builds(pq.KFold, st.integers(2, 1000), st.sampled_from(["cross", "split", "bootstrap"])),
    st.builds(pq.Holdout, share=shares),
    st.builds(pq.Delayed, bins=st.integers(1, 99), horizon=st.none() | st.floats(0.1, 1e6), first_class=st.booleans()),
)
delays = st.one_of(
    st.builds(pq.streams.UniformDelay, st.floats(0, 10), st.floats(10, 99)),
    st.builds(pq.streams.ExponentialDelay, st.floats(0.001, 1e6)),
)


@given(learner=learners)
def test_of_learners(learner: pq.Learner) -> None:
    text = LEARNERS.text_of(learner)
    assert pq.as_learner(text).describe() == learner.describe()
    assert pq.as_learner(LEARNERS.table(text)).describe() == learner.describe()


@given(detector=detectors)
def test_of_detectors(detector: pq.drift.Detector) -> None:
    for text in (detector.label, DETECTORS.text_of(detector), DETECTORS.table(detector.label)):
        assert pq.as_detector(text) == detector


@given(forgetting=forgettings)
def test_of_forgettings(forgetting: Any) -> None:
    for text in (forgetting.label, FORGETTINGS.text_of(forgetting), FORGETTINGS.table(forgetting.label)):
        assert pq.as_forgetting(text) == forgetting


@given(protocol=protocols)
def test_of_protocols(protocol: Any) -> None:
    text = PROTOCOLS.text_of(protocol)
    assert pq.as_protocol(text) == pq.as_protocol(PROTOCOLS.table(text)) == protocol


@given(delay=delays)
def test_of_delays(delay: Any) -> None:
    text = DELAYS.text_of(delay)
    assert pq.streams.as_delay(text) == pq.streams.as_delay(DELAYS.table(text)) == delay


@pytest.mark.parametrize(
    ("catalogue", "name"),
    [(catalogue, name) for catalogue in (LEARNERS, DETECTORS) for name in catalogue],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_of_every_object_with_its_defaults(catalogue: Catalogue[Any], name: str) -> None:
    made = catalogue.of_text(name)
    assert catalogue.text_of(made) == name
    assert type(catalogue.of_text(type(made).__name__)) is type(made)
