"""Commands, options, scripts and source files that sentences name: they must exist."""

import functools
import pathlib
import re
import shlex
import subprocess

from .markdown import ROOT, Document

PROGRAM = re.compile(r"^(?:target/release/)?(alfiere|trainer)$")
OPTION = re.compile(r"^--[a-z][a-z0-9-]*$")
# Options of cargo, git and other programs.
FOREIGN = {"--release", "--workspace", "--features", "--no-default-features", "--package", "--lib", "--test", "--example",
           "--grep", "--locked", "--bin"}
# Commands of a build with features that the programs in PATH may not have.
FEATURES = {("alfiere", "tunables")}
SOURCE = re.compile(r"^[\w/.-]+\.rs$")


def faults(documents: list[Document]):
    """One sentence for each name without a thing."""
    for document in documents:
        for number, span in document.spans():
            if reason := fault(span, document):
                yield f"{document.name}:{number}: `{span}`: {reason}"


def fault(span: str, document: Document) -> str | None:
    try:
        words = shlex.split(span)
    except ValueError:
        return None
    if not words:
        return None
    if words[0].startswith("scripts/") and "*" not in words[0]:
        return None if (ROOT / words[0]).exists() else "no such script"
    if SOURCE.match(words[0]) and document.name != "CHANGELOG.md":
        return None if pathlib.PurePath(words[0]).name in sources() else "no such source file"
    if words[0] == "cargo" and "--example" in words:
        name = words[words.index("--example") + 1]
        found = [*ROOT.glob(f"*/examples/{name}.rs"), *ROOT.glob(f"*/*/examples/{name}.rs")]
        return None if found else "no such example"
    if match := PROGRAM.match(words[0]):
        return command_fault(match.group(1), words[1:])
    if OPTION.match(word := words[0].partition("=")[0]) and word not in FOREIGN:
        if word not in all_options() and word not in document.text.partition(span)[2]:
            return "no command has this option"
        if word not in all_options() and not any(word in (ROOT / path).read_text(errors="ignore") for path in scripts()):
            return "neither a command nor a script has this option"
    return None


def command_fault(program: str, words: list[str]) -> str | None:
    if not words or words[0].startswith("-") or (program, words[0]) in FEATURES:
        return None
    if not re.fullmatch(r"[a-z-]+", words[0]) or words[0] not in commands(program):
        return None if "=" in words[0] else f"{program} has no command {words[0]}"
    text = help_of(program, words[0])
    for word in words[1:]:
        word = word.partition("=")[0].strip("[],.")
        if OPTION.match(word) and not re.search(rf"{word}\b", text):
            return f"{program} {words[0]} has no option {word}"
    return None


@functools.cache
def help_of(program: str, command: str = "") -> str:
    words = [program, *filter(None, [command]), "--help"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    # Commands of a command, such as `book make`.
    for inner in re.findall(r"^  ([a-z-]+)  ", text, re.MULTILINE) if command else []:
        text += subprocess.run([program, command, inner, "--help"], capture_output=True, text=True).stdout
    return text


@functools.cache
def commands(program: str) -> set[str]:
    return set(re.findall(r"^  ([a-z-]+)  ", help_of(program), re.MULTILINE))


@functools.cache
def all_options() -> set[str]:
    texts = [help_of(program, command) for program in ("alfiere", "trainer") for command in commands(program)]
    return set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(texts)))


@functools.cache
def sources() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {pathlib.PurePath(path).name for path in listed.splitlines()}


@functools.cache
def scripts() -> tuple[str, ...]:
    found = [*ROOT.glob("scripts/*"), *ROOT.glob("scripts/reliability/*")]
    return tuple(str(path) for path in found if path.is_file())
