"""What pages of results say against their files: today's search and network, the pages that scripts write, figures of games.

`docs/results/today.json` has today's `bench` and network. Pages that a script writes are compared with what it would write. The others
are named in `docs/results/pages.json`, with what they were measured with and their games; each has a line that `stamp` writes.
"""

import functools
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

from .markdown import ROOT, Document

sys.path.insert(0, str(ROOT / "scripts"))
import results_page

RESULTS = ROOT / "docs" / "results"
PAGES = RESULTS / "pages.json"
WRITTEN = ["strength", "suites", "speed", "csv-networks", "ladder", "validation-page", "report"]
# Elo with its error: one decimal or none.
FIGURE = re.compile(r"(?<![\d.])([+−]?\d+(?:\.\d)?) ± (\d+(?:\.\d)?)(?![\d.]*\d)")
PAIRS = re.compile(r"\[(\d+), (\d+), (\d+), (\d+), (\d+)\]")
MARK = re.compile(r"(, measured with [^|]*)?(?= \|$)")
LINE = re.compile(r"^\*Measured\b.*\*$", re.MULTILINE)
AGAIN = "run scripts/test-docs --stamp"


def faults(documents: list[Document], whole: bool):
    """One sentence for each page that does not say what its files do; `whole` takes some seconds more for `bench`."""
    now = results_page.today()
    for key, depth in [("bench_8", 8), ("bench", 14)][: 1 + whole]:
        if (found := bench(depth)) != now[key]:
            yield f"docs/results/today.json: `alfiere bench {depth}` is {found}, not {now[key]}: {AGAIN}"
    if (found := results_page.network()) != now["network"]:
        yield f"docs/results/today.json: the embedded network is {found}, not {now['network']}: name it there, and {AGAIN}"
    for script in WRITTEN:
        checked = subprocess.run([ROOT / "scripts" / script, "--check"], capture_output=True, text=True)
        if checked.returncode:
            yield checked.stderr.strip()
    for document in documents:
        yield from of_page(document.name, document.text)


def of_page(name: str, text: str):
    if name == "README.md":
        yield from of_rows(name, text)
    if name in pages() and line_of(pages()[name]) not in text.splitlines():
        yield f"{name}: does not say what it was measured with: {AGAIN}\n  {line_of(pages()[name])}"
    if name in ("README.md", "docs/results/strength.md", "docs/results/csv.md") or name in pages():
        for number, line in enumerate(text.splitlines(), 1):
            own = {figure(list(map(int, pairs))) for pairs in PAIRS.findall(line)}
            for found in FIGURE.finditer(line):
                if not known(found, own | all_figures()):
                    yield f"{name}:{number}: {found[0]} is in no file of results"


def of_rows(name: str, text: str):
    """Rows of a table that link to a file of results have its figures, and say whether it is of today."""
    for number, line in enumerate(text.splitlines(), 1):
        if not (linked := row_file(line)):
            continue
        path = ROOT / linked
        if not path.exists():
            yield f"{name}:{number}: {linked}: no such file"
            continue
        cell = line.split("|")[2].strip()
        found = FIGURE.match(cell)
        if not (known(found, figures(path)) if found else any(cell.startswith(fact) for fact in facts(json.loads(path.read_text())))):
            yield f"{name}:{number}: {cell} is not in {linked}"
        if marked(line) != line:
            yield f"{name}:{number}: does not say how old {linked} is: {AGAIN}\n  {marked(line)}"


def row_file(line: str) -> str | None:
    found = re.search(r"\]\(([\w/.-]+\.json)\)", line)
    return found[1] if line.startswith("|") and found else None


def marked(line: str) -> str:
    """A row with its mark."""
    age = results_page.age(json.loads((ROOT / row_file(line)).read_text()))
    mark = f", measured with {age.replace('earlier', 'an earlier')}" if age else ""
    return MARK.sub(mark, line, count=1)


def line_of(page: dict) -> str:
    """The line of a page that no script writes."""
    age = results_page.age(page)
    parts = [f"*Measured {page['date']}", page.get("commit") and f"commit `{page['commit']}`", page["machine"], age and f"with {age}"]
    return ", ".join(filter(None, parts)) + ".*"


def known(found: re.Match, figures: set[str]) -> bool:
    """Whether a figure is there, also rounded to integers or without its sign."""
    elo, error = found[1].lstrip("+"), found[2]
    rounded = {f"{float(one.replace('−', '-')):.0f} ± {float(two):.0f}".replace("-", "−") for one, two in (one.split(" ± ") for one in figures)}
    return any(f"{sign}{elo} ± {error}" in figures | rounded for sign in ("", *(["−"] if found[1][0].isdigit() else [])))


def figure(pairs: list[int]) -> str:
    """Elo with half of its 95 % interval, from pairs by their points."""
    number = sum(pairs)
    mean = sum(count * index / 4 for index, count in enumerate(pairs)) / number
    deviation = math.sqrt(sum(count * (index / 4 - mean) ** 2 for index, count in enumerate(pairs)) / number / number)
    low, elo, high = (elo_of(score) for score in (mean - 1.959964 * deviation, mean, mean + 1.959964 * deviation))
    return shown(elo, (high - low) / 2)


def elo_of(score: float) -> float:
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else math.copysign(math.inf, score - 0.5)


def shown(elo: float, error: float) -> str:
    return f"{elo:.1f} ± {error:.1f}".replace("-", "−")


def figures(path: pathlib.Path) -> set[str]:
    """Figures of a file of results: in its text, as numbers, and from pairs."""
    text = path.read_text()
    found = {f"{elo.lstrip('+')} ± {error}" for elo, error in FIGURE.findall(text.replace("\\u00b1", "±").replace("-", "−"))}
    found |= {figure(list(map(int, pairs))) for pairs in PAIRS.findall(re.sub(r"\s+", " ", text).replace("[ ", "[").replace(" ]", "]"))}
    if path.suffix == ".jsonl":
        found |= {shown(*side["elo"]) for line in text.splitlines() for side in json.loads(line).values() if isinstance(side, dict)}
    return found


def facts(kept: dict) -> set[str]:
    """What a row may say of a file without games: solved positions, R², speeds."""
    if "attempts" in kept:
        return {f"{sum(attempt['solved'] for attempt in kept['attempts'])} of {len(kept['attempts'])}"}
    if "r2_resolved" in kept:
        return {f"{statistics.mean(kept[name]):.3f} ± {statistics.stdev(kept[name]):.3f}" for name in ("r2_resolved", "r2_as_given")}
    measured = kept.get("measured", {})
    speeds = {f"{int(row[1]) // 1000 * 1000:,} positions/s" for row in measured.get("networks", [])}
    if "Alfiere" in measured:
        ratios = [statistics.median(other / own for own, other in zip(measured["Alfiere"], found)) for found in measured.values()]
        speeds |= {f"{1 / ratio:.2f} times" for ratio in ratios}
    return speeds


@functools.cache
def all_figures() -> set[str]:
    return set().union(*(figures(path) for path in RESULTS.rglob("*.*") if path.suffix in (".json", ".jsonl", ".csv")))


@functools.cache
def pages() -> dict[str, dict]:
    return json.loads(PAGES.read_text())


def bench(depth: int) -> int:
    out = subprocess.run(["alfiere", "bench", str(depth)], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"^(\d+) nodes", out, re.MULTILINE)[-1])


def stamp():
    """Writes today's search and network, and the marks of all pages."""
    now = results_page.today() | {"bench": bench(14), "bench_8": bench(8), "network": results_page.network()}
    results_page.TODAY.write_text(json.dumps(now, indent=1) + "\n")
    for script in WRITTEN:
        subprocess.run([ROOT / "scripts" / script, "--page"], check=True)
    for name, page in pages().items():
        path = ROOT / name
        path.write_text(LINE.sub(lambda _: line_of(page), path.read_text(), count=1))
    readme = ROOT / "README.md"
    readme.write_text("".join(marked(line) if row_file(line) else line for line in readme.read_text().splitlines(keepends=True)))
