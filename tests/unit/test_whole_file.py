"""A file is written completely or not at all."""

from pathlib import Path

import pytest

from prequential.errors import InputError, StorageError
from prequential.whole_file import aside, checked_suffix, write_whole


def test_folders_are_created_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a" / "b" / "report.html", b"text")
    assert path.read_bytes() == b"text"
    assert [one.name for one in path.parent.iterdir()] == ["report.html"]


def test_a_file_that_is_not_renamed_leaves_the_old_one_and_no_temporary_one(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "report.html", b"old")
    with aside(path) as temporary:
        temporary.write_bytes(b"half")  # and never renamed
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]
    assert path.read_bytes() == b"old"


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"a\.png: cannot be written \(File exists\)"):
        write_whole(tmp_path / "file" / "a.png", b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StorageError, match="folder: cannot be written"):
        write_whole(tmp_path / "folder", b"")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder"]


def test_a_suffix_is_compared_in_lower_case_and_refused_with_those_accepted() -> None:
    assert checked_suffix("a.PNG", {".png": "a picture"}) == ".png"
    with pytest.raises(InputError, match=r"a\.gif: unknown suffix '\.gif'\. Accepted: \.png \(a picture\)\."):
        checked_suffix("a.gif", {".png": "a picture"})
