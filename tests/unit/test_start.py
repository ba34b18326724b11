"""Nothing is imported at the start that only some commands need."""

import subprocess
import sys


def test_the_command_line_starts_without_the_libraries_that_draw() -> None:
    ask = "import sys, prequential.cli; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert "prequential" in loaded
    assert not {"matplotlib", "plotly", "pandas", "sklearn", "river", "capymoa"} & set(loaded)
