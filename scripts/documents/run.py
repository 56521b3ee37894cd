"""Executes the commands of the documents in copies of the repository."""

import collections
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from .markdown import ROOT, Block, Document, tracked

# Seconds after which a command counts as hanging.
LONGEST = 900
# Cargo works on the checkout; its commands still start in the copy.
PRELUDE = f"""
set -o pipefail
cargo() {{ local command=$1; shift; command cargo "$command" --manifest-path {shlex.quote(str(ROOT))}/Cargo.toml "$@"; }}
"""

ran, compared, repeated = 0, 0, 0
skipped: collections.Counter[str] = collections.Counter()


def summary() -> str:
    """What was done, and what was left out for which reasons."""
    lines = [
        f"{ran} commands executed, {compared} outputs compared, {sum(skipped.values())} commands left out,"
        f" {repeated} are shown again elsewhere"
    ]
    lines += [f"  {count:3} {reason}" for reason, count in skipped.most_common()]
    return "\n".join(lines)


def faults(documents: list[Document], only_list: bool):
    """One sentence for each command that fails and each output that differs."""
    copies: dict[str, pathlib.Path] = {}
    with tempfile.TemporaryDirectory(prefix="alfiere-documents-") as folder:
        for document in documents:
            name = document.copy_name()
            if not only_list and name not in copies and any(block.language == "sh" for block in document.blocks):
                copies[name] = copy(pathlib.Path(folder) / str(len(copies)))
            yield from of_document(document, copies.get(name), only_list)


def copy(folder: pathlib.Path) -> pathlib.Path:
    """The tracked files, and the programs of PATH under the names that cargo gives them."""
    for name in tracked():
        if not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    programs = folder / "target/release"
    programs.mkdir(parents=True)
    for program in ("alfiere", "trainer", "alfiere-book"):
        found = shutil.which(program)
        if found is None:
            sys.exit(f"error: {program} is not in PATH: build it and put target/release there")
        (programs / program).symlink_to(pathlib.Path(found).resolve())
    return folder


def of_document(document: Document, folder: pathlib.Path | None, only_list: bool):
    global repeated
    output = ""
    for block in document.blocks:
        if block.language == "sh" and (other := block.directives.get("as")):
            repeated += len(list(commands(block)))
            yield from not_shown(document, block, Document(other))
        elif block.language == "sh":
            for line, command in commands(block):
                reason = block.directives.get("skip")
                report = Report(document.name, line, command)
                if reason is not None:
                    skipped[reason] += 1
                    report.show("left out", reason)
                elif only_list:
                    report.show("command", "")
                else:
                    fault, output = execute(command, block, folder, report)
                    if fault:
                        yield fault
        elif "output" in block.directives and not only_list:
            yield from differences(document, block, output)


def not_shown(document: Document, block: Block, other: Document):
    """One sentence for each command of a block that another document does not show, where it is executed."""

    def plain(command: str) -> str:
        return " ".join(re.sub(r"\s+#.*", "", command).replace("target/release/", "").split())

    executed = {plain(command) for block in other.blocks if block.language == "sh" for _, command in commands(block)}
    for line, command in commands(block):
        if plain(command) not in executed:
            yield f"{document.name}:{line}: {other.name} does not show this command: {command}"


def commands(block: Block):
    """The commands of a block with their lines: a command goes on while the shell expects more."""
    text, start = "", block.line
    for number, line in enumerate(block.text.splitlines(), block.line):
        if not text and not line.strip():
            continue
        if not text:
            start = number
        text += line + "\n"
        complete = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        if complete.returncode == 0 and not complete.stderr and not text.endswith("\\\n"):
            if not text.lstrip().startswith("#"):
                yield start, text.strip()
            text = ""
    if text:
        yield start, text.strip()


class Report:
    """The line that is printed for a command."""

    def __init__(self, document: str, line: int, command: str):
        self.place = f"{document}:{line}"
        self.command = re.sub(r"\s+", " ", re.sub(r"\s+#.*", "", command).replace("\\\n", " "))
        self.start = time.monotonic()

    def show(self, state: str, note: str):
        print(f"{state:8} {self.place:34} {self.command[:100]}{f'   ({note})' if note else ''}", flush=True)

    def done(self, state: str):
        self.show(state, f"{time.monotonic() - self.start:.1f} s")


def execute(command: str, block: Block, folder: pathlib.Path, report: Report) -> tuple[str | None, str]:
    """Runs a command; returns the fault, if any, and the output."""
    global ran
    before = block.directives.pop("before", "")
    environment = os.environ | {"PATH": f"{folder}/target/release:{os.environ['PATH']}", "BROWSER": "true"}
    environment.pop("DISPLAY", None)
    if before:
        subprocess.run(["bash", "-ec", before], cwd=folder, env=environment, check=True, capture_output=True)
    seconds = float(block.directives.get("ends", LONGEST))
    process = subprocess.Popen(["bash", "-c", PRELUDE + command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        ended = True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        output, _ = process.communicate()
        ended = False
    ran += 1
    fault = None
    if "ends" in block.directives:
        if ended and process.returncode != 0:
            fault = f"ended with {process.returncode} before it was stopped"
    elif not ended:
        fault = f"did not end in {seconds:.0f} s"
    elif (process.returncode != 0) != ("fails" in block.directives):
        fault = f"ended with {process.returncode}"
    elif "cargo test" in command and not any(map(int, re.findall(r"^running (\d+) test", output, re.MULTILINE))):
        fault = "ran no test"
    report.done("FALSE" if fault else "ok")
    if fault:
        tail = "\n".join(output.splitlines()[-15:])
        fault = f"{report.place}: {command}\n  {fault}; its last lines:\n{tail}"
    return fault, output


def differences(document: Document, block: Block, output: str):
    """Lines of a block that the output does not have, in their order; `...` stands for any number of lines or the rest of one."""
    global compared
    compared += 1
    ignored = block.directives["output"]

    def plain(line: str) -> str:
        return " ".join((re.sub(ignored, "", line) if ignored else line).split())

    shown = iter([plain(line) for line in output.splitlines()])
    for number, line in enumerate(block.text.splitlines(), block.line):
        expected = plain(line)
        if expected in ("", "..."):
            continue
        parts = [re.escape(part.strip()) for part in expected.split("...")]
        pattern = re.compile(r"\s*.*?\s*".join(parts) + "$")
        if not any(pattern.match(line) for line in shown):
            close = "\n".join(output.splitlines()[-40:])
            yield f"{document.name}:{number}: the output has no line\n  {line}\nafter the lines before it; its end:\n{close}"
            return
