"""What the scripts of docs/results share: the programs that they measure; commit, date and machine of a measurement."""

import datetime
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"


def program(name):
    """Path of "alfiere" or "trainer": the environment variable of that name in capitals, or the release build."""
    return os.environ.get(name.upper(), str(RELEASE / name))


def head():
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def about():
    """Date, commit and machine of a measurement, for its file."""
    return {"date": datetime.date.today().isoformat(), "commit": head(), "machine": machine()}


def machine():
    """The processor, and the widest vectors that the engine uses on it."""
    info = pathlib.Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    model = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), platform.processor())
    vectors = next((name for flag, name in [("avx512bw", "AVX-512"), ("avx2", "AVX2")] if flag in text), platform.machine())
    return f"{model}, {os.cpu_count()} cores, {vectors}"
