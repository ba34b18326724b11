"""What tests of every kind share."""

from pathlib import Path

import hypothesis
import pytest

# The suite is deterministic: the same examples in every run.
hypothesis.settings.register_profile("suite", derandomize=True, deadline=None)
hypothesis.settings.load_profile("suite")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The directory of the real streams, beside the repository."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the real streams are not at {folder}")
    return folder
