"""``prequential testbed run`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).parent / "prequential")
FEW = ("--seeds", "1", "-s", "NSGT", "-s", "NSPC", "--no-references", "--quiet")

MODEL = '''
class Majority:
    """Predicts the most frequent label."""

    def __init__(self):
        self.counts = {}

    def predict_one(self, x):
        return max(self.counts, key=self.counts.get) if self.counts else None

    def learn_one(self, x, y):
        self.counts[y] = self.counts.get(y, 0) + 1
'''


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [PROGRAM, "testbed", "card", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"COLUMNS": "120", "PATH": "/usr/bin:/bin"},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_the_learner_of_a_file_gets_its_card(tmp_path: Path) -> None:
    (tmp_path / "my_model.py").write_text(MODEL)
    done = run("my_model.py", *FEW, "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Majority, mean and standard deviation over 1 seed" in done.stdout
    assert "8 all at once" in done.stdout
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["card.html", "card.json", "card.pdf"]
    assert " card  out/card.json" in done.stdout


def test_a_changed_learner_is_compared_with_its_last_card(tmp_path: Path) -> None:
    six = ("--seeds", "6", "-s", "NSGT", "--quiet", "--no-report")
    assert run("naive_bayes", *six, "-o", "first", cwd=tmp_path).returncode == 0
    done = run("majority_class", *six, "-o", "second", "--baseline", "first/card.json", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    (error,) = (row for row in data["changes"] if row["number"] == "error NSGT")
    assert error["verdict"] == "worse"
    assert error["last"]["mean"] == pytest.approx(0.25, abs=0.02)
    assert error["now"]["mean"] == pytest.approx(0.5, abs=0.02)
    assert data["card"] == "second/card.json"
    again = run("majority_class", *six, "-o", "second", cwd=tmp_path)
    assert again.returncode == 2
    assert "already has a card" in again.stderr
    third = run("naive_bayes", *six, "--overwrite", "-o", "first", "--baseline", "first/card.json", cwd=tmp_path)
    assert third.returncode == 0, third.stderr
    assert "none of 1 numbers has changed" in " ".join(third.stdout.split())


def test_a_failing_learner_ends_with_3_and_the_rest_of_the_card(tmp_path: Path) -> None:
    (tmp_path / "my_model.py").write_text(MODEL.replace("return max", "assert len(x) < 3; return max"))
    words = ("--seeds", "1", "-s", "NSGT", "-s", "NSGT-5D", "--no-references", "--json", "-o", "out")
    done = run("my_model.py:Majority", *words, cwd=tmp_path)
    assert done.returncode == 3
    data = json.loads(done.stdout)
    assert list(data["failures"]) == ["NSGT-5D"]
    assert data["streams"][0]["errors"]["Majority"]["mean"] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("none.py",), "none.py does not exist"),
        (("naive_byes",), "Did you mean 'naive_bayes'"),
        (("naive_bayes", "-s", "NSXX"), "Unknown stream of the testbed: 'NSXX'"),
        (("naive_bayes", "--seeds", "0"), "a whole number of at least 1"),
        (("naive_bayes", "--baseline", "last.json"), "last.json does not exist"),
        (("naive_bayes", "--name", "NB"), "different from the other names on the card"),
        (("two.py",), "two.py has 2 learners: First, Second. Say which, such as two.py:First."),
        (("empty.py",), "empty.py has no learner"),
    ],
)
def test_bad_input_ends_with_2_and_says_what_is_accepted(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    both = MODEL.replace("Majority", "First") + MODEL.replace("Majority", "Second")
    (tmp_path / "two.py").write_text(both)
    (tmp_path / "empty.py").write_text("x = 1\n")
    done = run(*words, "--quiet", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_bad_input_with_json_prints_json(tmp_path: Path) -> None:
    done = run("none.py", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert "does not exist" in json.loads(done.stdout)["error"]
