"""Nothing is imported at the start that only some commands need."""

import subprocess
import sys
from importlib.metadata import entry_points


def test_the_command_line_starts_without_the_libraries_that_draw() -> None:
    ask = "import sys, prequential.cli; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert "prequential" in loaded
    assert not {"matplotlib", "plotly", "pandas", "sklearn", "river", "capymoa"} & set(loaded)


def test_ctrl_c_during_the_imports_leaves_no_traceback() -> None:
    """A module of the package raises KeyboardInterrupt in the middle of the imports, as Ctrl-C does there."""
    start = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'prequential.streams':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from prequential_start import main\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Interrupted.\n")


def test_the_command_is_the_one_that_ends_quietly() -> None:
    (script,) = (one for one in entry_points(group="console_scripts") if one.name == "prequential")
    assert script.value == "prequential_start:main"


def test_the_package_is_a_command_too() -> None:
    ended = subprocess.run([sys.executable, "-m", "prequential", "--version"], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout.split()[0]) == (0, "prequential")
