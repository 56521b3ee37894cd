"""Executes notebooks, each in a folder with only the data that its reader has."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from .markdown import ROOT

PACKAGES = ["nbconvert>=7.17,<8", "ipykernel>=7,<8", "pandas>=2", "matplotlib>=3.9", "chess>=1.11,<2"]
DATA = ROOT / "datasets/kaggle/sample.csv.gz"
LARGEST = 300_000
# Seconds after which a cell counts as hanging.
LONGEST = 900


def faults(names: list[str], only_list: bool):
    """One sentence for each notebook that fails or is committed without its outputs."""
    for name in names:
        if only_list:
            print(f"notebook {name}")
            continue
        yield from committed(name)
        executed, error = execute(ROOT / name)
        if error:
            yield f"{name}: {error}"
        else:
            print(f"executed {name}   (with its outputs: {executed})", flush=True)


def committed(name: str):
    text = (ROOT / name).read_text()
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        skipped = "skip-execution" in cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and not skipped and cell["execution_count"] is None:
            yield f"{name}: cell {number} was not executed before the file was saved"
    if len(text) > LARGEST:
        yield f"{name}: {len(text)} bytes, expected at most {LARGEST}"


def execute(notebook: pathlib.Path) -> tuple[pathlib.Path, str]:
    """Where the executed notebook is, and the error of a cell, if any."""
    environment = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "notebook"
    python = environment / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    with tempfile.TemporaryDirectory(prefix="alfiere-notebook-") as folder:
        copy = shutil.copy(notebook, folder)
        shutil.copy(DATA, folder)
        # The second preprocessor joins the pieces in which output arrives.
        command = [python, "-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", environment, copy,
                   f"--ExecutePreprocessor.timeout={LONGEST}", "--ExecutePreprocessor.record_timing=False",
                   "--NotebookExporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor"]
        done = subprocess.run(command, capture_output=True, text=True)
    return environment / notebook.name, done.stderr.strip() if done.returncode else ""
