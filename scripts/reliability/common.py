"""Shared by the Python scripts of this folder: paths and runs of the programs under test, and the detection of crashes."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "datasets"
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")


def program(name: str) -> str:
    """Path of "alfiere" or "trainer": the environment variable of that name in capitals, or the release build."""
    path = pathlib.Path(os.environ.get(name.upper(), TARGET / "release" / name)).absolute()
    if not os.access(path, os.X_OK):
        sys.exit(f"error: {path}: no such program; cargo build --release builds it")
    return str(path)


def run(arguments: list, folder=None, timeout: float = 120, **options) -> subprocess.CompletedProcess:
    """Runs a program to its end, with its output as text."""
    return subprocess.run([str(word) for word in arguments], cwd=folder, timeout=timeout, text=True, errors="replace",
                          capture_output=True, **options)


def crash(ended: subprocess.CompletedProcess) -> str:
    """What is wrong with how a program ended, "" if nothing: a signal, a panic, or a failure without a message."""
    if ended.returncode < 0:
        return f"signal {-ended.returncode}"
    if "panicked at" in ended.stderr:
        return "panic: " + ended.stderr.split("panicked at", 1)[1][:200].replace("\n", " ")
    if ended.returncode and not ended.stderr.strip():
        return f"exit status {ended.returncode} without a message"
    return ""
