"""What tests of every kind share.

Property tests draw the same examples in every run. ``PREQUENTIAL_HYPOTHESIS=random`` draws new ones instead, four times
as many.
"""

import os
from pathlib import Path

import hypothesis
import pytest
from hypothesis import is_hypothesis_test

PROFILE = os.environ.get("PREQUENTIAL_HYPOTHESIS", "suite")
MORE = 4

hypothesis.settings.register_profile("suite", derandomize=True, deadline=None)
hypothesis.settings.register_profile("random", deadline=None, print_blob=True)
hypothesis.settings.load_profile(PROFILE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Draw more examples in each property test, which sets its own number of them."""
    if PROFILE == "random":
        tests = {item.obj for item in items if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)}
        for test in tests:
            own = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=MORE * own.max_examples)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The directory of the real streams, beside the repository."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the real streams are not at {folder}")
    return folder
