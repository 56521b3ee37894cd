"""The jobs that kill-nine interrupts, and how their results are compared."""

import pathlib
import re

from common import DATA, program

ALFIERE, TRAINER = program("alfiere"), program("trainer")
SAMPLE = DATA / "kaggle/sample.csv.gz"
SWEEP = 'title = "kill-nine"\ndata = ["none.csv"]\nrows = 6000\n[run]\nnet = "dual [8]"\nstart = "random"\nbatch = 512\nepochs = 8\nfolds = 3\nlr = [0.001, 0.002]\n'
BOOK_GAMES = "books.pgn"


def jobs(teacher: str | None) -> dict:
    """Command, arguments that continue it, and outputs of each job. Names are relative to a folder of the trial."""
    train = [TRAINER, "train", "--data", SAMPLE, "--rows", "20000", "--no-cache", "--net", "dual [32]", "--epochs", "10",
             "--batch", "512", "--start", "classical:500000", "--own-searches", "60000", "--out", "n.nnue"]
    match = [ALFIERE, "match", "--engine", f"{ALFIERE} name=a", "--engine", f"{ALFIERE} name=b option.Contempt=20",
             "--each", "option.Hash=1", "--nodes", "300", "--games", "12", "--openings",
             DATA / "openings/noob_3moves_1000.epd", "--pgn", "m.pgn", "--json", "m.json", "--quiet"]
    table = {
        "train": (train, ["--resume"], ["n.nnue"]),
        "sweep": ([TRAINER, "sweep", "sweep.toml", "--data", SAMPLE, "--no-cache", "--out", "s"], [],
                  ["s/results.csv", "s/summary.csv"]),
        "datagen": ([TRAINER, "datagen", "--nodes", "200", "--games", "20", "--out", "d.vf"], [], ["d.vf", "d.vf.index"]),
        "label": ([TRAINER, "label", SAMPLE, "--rows", "1500", "--engine", f"{ALFIERE} option.Hash=1", "--nodes", "50",
                   "--processes", "2", "--out", "l.csv"], [], ["l.csv"]),
        "match": (match, ["--resume"], ["m.pgn", "m.json"]),
        "book make": ([ALFIERE, "book", "make", "../" + BOOK_GAMES, "b.bin"], ["--force"], ["b.bin"]),
        "convert": ([TRAINER, "convert", SAMPLE, "c.packed", "--shuffle"], ["--force"], ["c.packed"]),
    }
    if teacher:
        table["distil"] = ([TRAINER, "distil", "--teacher", pathlib.Path(teacher).absolute(), "--positions", "20000",
                            "--shard-rows", "5000", "--out", "t.packed"], [],
                           [f"t-000{number}.packed" for number in range(1, 5)])
    return table


def contents(folder: pathlib.Path, outputs: list[str]) -> list[bytes]:
    """The outputs without durations: seconds of moves and matches, and the seconds column of a sweep."""
    result = []
    for name in outputs:
        data = (folder / name).read_bytes()
        if name.endswith((".pgn", ".json")):
            data = b" ".join(re.sub(rb'\d+\.\d+s\}|"seconds": [\d.]+', b"", data).split())
        if name.startswith("s/"):
            lines = [line.split(b",") for line in data.splitlines()]
            keep = [at for at, title in enumerate(lines[0]) if b"seconds" not in title]
            data = b"\n".join(b",".join(line[at] for at in keep) for line in lines)
        result.append(data)
    return result
