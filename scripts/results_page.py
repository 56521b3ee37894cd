"""What the scripts of docs/results share: the programs that they measure, what a measurement was made with, and the pages.

`docs/results/today.json` has the `bench` of today's search and the embedded network, by the name that git gives its file
(`git show NAME` restores it). Each file of results has those of its measurement, and pages mark what is of another search or network.
"""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
RESULTS = ROOT / "docs" / "results"
TODAY = RESULTS / "today.json"
# With --page a script measures nothing and writes its page; with --check it compares the page with the one that it would write.
CHECKS = "--check" in sys.argv[1:]
ONLY_PAGE = CHECKS or "--page" in sys.argv[1:]
sys.argv = [word for word in sys.argv if word not in ("--check", "--page")]


def program(name):
    """Path of "alfiere" or "trainer": the environment variable of that name in capitals, or the release build."""
    return os.environ.get(name.upper(), str(RELEASE / name))


def head():
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def about(commit=None, engine=True):
    """What a measurement was made with, for its file; the search and the embedded network only where they matter."""
    command = " ".join([f"scripts/{pathlib.Path(sys.argv[0]).name}", *sys.argv[1:]])
    return {"date": datetime.date.today().isoformat(), "commit": commit or head(), "machine": machine(),
            **{name: today()[name] for name in ("bench", "network") if engine}, "command": command}


def machine():
    """The processor, and the widest vectors that the engine uses on it."""
    info = pathlib.Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    model = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), platform.processor())
    vectors = next((name for flag, name in [("avx512bw", "AVX-512"), ("avx2", "AVX2")] if flag in text), platform.machine())
    return f"{model}, {os.cpu_count()} cores, {vectors}"


def today():
    return json.loads(TODAY.read_text())


def network():
    """The name that git gives the embedded network's file."""
    data = (ROOT / "nets" / "default.nnue").read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()[:10]


def age(kept):
    """Empty if today's search and network were measured, else which network ("v9"), or "earlier search"."""
    now = today()
    if kept.get("network", now["network"]) != now["network"]:
        return now["networks"].get(kept["network"], kept["network"])
    return "earlier search" if kept.get("bench", now["bench"]) != now["bench"] else ""


def commit(kept):
    """The commit of a measurement for a table, with its age."""
    return ", ".join(filter(None, [f"`{kept['commit']}`", age(kept)]))


def write(page, text):
    """Writes a page; with --check, ends with an error if it is another."""
    name = page.relative_to(ROOT)
    if not CHECKS:
        page.write_text(text)
    elif page.read_text() != text:
        pairs = zip(page.read_text().splitlines() + [""], text.splitlines() + [""])
        line, (found, right) = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])
        sys.exit(f"{name}:{line}: not what its results say: run scripts/{pathlib.Path(sys.argv[0]).name} --page\n"
                 f"  it has      {found}\n  the results {right}")
