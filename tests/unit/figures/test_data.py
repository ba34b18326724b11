"""What is drawn needs no drawing library."""

import subprocess
import sys
from pathlib import Path

from prequential import figures

DRAWING = ("_plotly", "_matplotlib", "plotly_style", "matplotlib_style")


def test_data_modules_import_no_drawing_library() -> None:
    names = sorted(path.stem for path in Path(figures.__file__).parent.glob("*.py"))
    data = [name for name in names if not name.endswith(DRAWING) and name != "__init__"]
    assert {"curves", "bins", "timeline", "palette"} <= set(data)
    ask = f"import sys, importlib; [importlib.import_module('prequential.figures.' + name) for name in {data}]"
    ask += "; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "plotly"} & set(loaded)
