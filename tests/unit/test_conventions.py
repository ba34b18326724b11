"""The conventions are sentences that a report can print."""

from prequential.conventions import CONVENTIONS


def test_conventions_are_different_whole_sentences() -> None:
    assert len(set(CONVENTIONS)) == len(CONVENTIONS) == 10
    assert all(text[0].isupper() and text.endswith(".") for text in CONVENTIONS)
