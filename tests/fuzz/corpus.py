"""Small sound files, by kind; the fuzzer damages them."""

from __future__ import annotations

import datetime as dt
import gzip
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import prequential as pq

N = 24

CSV = {
    "plain.csv": "x,word,n,class\n" + "".join(f"{i * 0.5},w{i % 3},{i},{'ny'[i % 2]}\n" for i in range(N)),
    "semicolons.csv": "a;b;y\r\n" + "".join(f"{i};{i % 4 + 0.25};{i % 3}\r\n" for i in range(N)),
    "quoted.csv": 'k,text,class\n1,"a, ""b""",u\n2,"two\nlines",v\n' + '3,"c",u\n4,,v\n?,NA,u\n' * 3,
    "headless.tsv": "".join(f"{i}\t{-i}e-1\tc{i % 2}\n" for i in range(N)),
    "numbers.csv": "".join(f"{i}.0,{i * i},{i * 0.1:.3f}\n" for i in range(N)),
}
ARFF = {
    "dense.arff": "@relation r\n% note\n@attribute x numeric\n@attribute 'a b' {red, 'dark blue'}\n"
    "@attribute s string\n@attribute class {no,yes}\n@data\n"
    + "".join(
        f"{i}.5,{('red', chr(39) + 'dark blue' + chr(39))[i % 2]},t{i % 3},{('no', 'yes')[i % 2]}\n" for i in range(N)
    ),
    "weka.arff": "% made by Weka\n@RELATION 'a relation'\n\n@ATTRIBUTE length REAL\n@ATTRIBUTE n INTEGER\n"
    "@ATTRIBUTE colour {red,green}\n@ATTRIBUTE class {yes,no}\n\n@DATA\n"
    + "".join(f"{i * 0.25},{i % 5},{('red', 'green', '?')[i % 3]},{('yes', 'no')[i % 2]}\n" for i in range(N)),
    "moa.arff": "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"
    + "".join(f"{i}.25,{'ab'[i % 2]},\n" for i in range(N)),
    "sparse.arff": "@relation r\n@attribute x numeric\n@attribute d date 'yyyy-MM-dd'\n@attribute y {p,q}\n@data\n"
    "{0 1.5, 1 2024-05-01, 2 q}\n{1 '2024-05-02'}\n?,2024-05-03,q\n{}\n",
}
PLANS = {
    "generator.toml": 'every = 100\nseed = 3\nmetrics = ["accuracy", "kappa"]\nforgetting = ["sliding:50"]\n'
    '[stream]\ntype = "SEA"\nn = 500\nnoise = 0.1\nchange = [{type = "label_noise", '
    'share = 0.1}]\n[protocol]\ntype = "kfold"\nk = 3\nscheme = "cross"\n[[learner]]\ntype = "naive_bayes"\n'
    '[[learner]]\ntype = "majority_class"\nwindow_size = 20\nname = "slow"\n',
    "delayed.toml": '[stream]\ntype = "STAGGER"\nn = 300\ndelay = {type = "uniform", low = 5, high = 15}\n[protocol]\n'
    'type = "delayed"\nbins = 10\nhorizon = 100.0\n[[learner]]\ntype = "no_change"\n',
    "file.toml": '[stream]\npath = "data.csv"\ntarget = "class"\nnominal = ["k"]\ntake = 10\nmissing = ["?"]\n'
    '[protocol]\ntype = "prequential"\npretrain = 5\n[[learner]]\ntype = "sgd"\n',
}
LOGS = {
    "predictions.csv": "id,time,model,prediction,score_a,score_b\n"
    + "".join(
        f"r{i},{i * 2.0},m{i % 2},{'ab'[i % 2]},{0.3 + i % 2 * 0.4:.1f},{0.7 - i % 2 * 0.4:.1f}\n" for i in range(N)
    ),
    "labels.csv": "id,time,label\n" + "".join(f"r{i},{i * 2.0 + 7},{'ab'[i // 2 % 2]}\n" for i in range(N)),
    "scored.csv": "time,label,prediction,score_a,score_b\n"
    + "".join(f"{i},{'ab'[i % 2]},{'ab'[i // 2 % 2]},0.{i % 9 + 1},0.5\n" for i in range(N)),
}


def write_corpus(folder: Path) -> dict[str, list[Path]]:
    """Write all files, and one run with save points; return them by kind."""
    found: dict[str, list[Path]] = {}
    for kind, texts in {"csv": CSV, "arff": ARFF, "plan": PLANS, "log": LOGS}.items():
        (folder / kind).mkdir(parents=True)
        for name, text in texts.items():
            (folder / kind / name).write_text(text, encoding="utf-8", newline="")
        found[kind] = sorted((folder / kind).iterdir())
    packed = folder / "csv" / "packed.csv.gz"
    packed.write_bytes(gzip.compress(CSV["plain.csv"].encode(), mtime=0))
    found["csv"].append(packed)
    (folder / "plan" / "data.csv").write_text(CSV["quoted.csv"].replace("text", "t"), encoding="utf-8", newline="")
    found["parquet"] = _parquet(folder / "parquet")
    stream = pq.streams.SEA(seed=1).take(300)
    learners = ["naive_bayes", "no_change"]
    run = pq.evaluate(stream, learners, every=50, predictions=True, directory=folder / "run", progress=False)
    points = run.directory.save_points
    points.write({"n": 3, "weights": np.arange(6.0).reshape(2, 3), "parts": {"trace": [1, 2]}, "model": b"state"})
    found["run"] = sorted(p for p in (folder / "run").rglob("*") if p.suffix in (".json", ".parquet", ".toml"))
    found["save"] = sorted(points.folder.glob("*.state"))
    return found


def _parquet(folder: Path) -> list[Path]:
    folder.mkdir()
    rows = range(N)
    table = pa.table(
        {
            "x": [None if i % 7 == 0 else i * 0.5 for i in rows],
            "n": pa.array(rows, pa.int16()),
            "word": [f"w{i % 3}" for i in rows],
            "kind": pa.array(["u" if i % 2 else "v" for i in rows]).dictionary_encode(),
            "flag": [i % 3 == 0 for i in rows],
            "day": [dt.datetime(2024, 5, 1) + dt.timedelta(hours=i) for i in rows],
            "price": [Decimal(i) / 4 for i in rows],
            "class": ["no" if i % 2 else "yes" for i in rows],
        }
    )
    ways: dict[str, dict[str, Any]] = {
        "snappy.parquet": {"row_group_size": 10},
        "plain.parquet": {"compression": "none", "use_dictionary": False, "row_group_size": 8},
        "pages.parquet": {"data_page_version": "2.0", "compression": "zstd", "write_page_checksum": True},
    }
    for name, options in ways.items():
        pa.parquet.write_table(table, folder / name, **options)
    pq.write(pq.streams.SEA(seed=1).take(N), folder / "declared.parquet")
    return sorted(folder.iterdir())
