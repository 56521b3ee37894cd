"""The length of sentences in the README."""

import re

from .markdown import Document

MOST = 25


def faults(documents: list[Document]):
    """One line for each sentence of the README with more words than allowed."""
    for document in documents:
        if document.name != "README.md":
            continue
        for sentence in sentences(document.prose):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if len(words) > MOST:
                yield f"{document.name}: {len(words)} words, at most {MOST}: {sentence}"


def sentences(lines: list[str]):
    """Paragraphs, items of lists and cells of tables, cut at the ends of sentences; a span of code is one word."""
    text = ""
    for line in [*lines, ""]:
        starts_anew = not line.strip() or line.lstrip().startswith(("- ", "#", "|", "!"))
        if starts_anew:
            yield from parts(text)
            text = ""
        if line.startswith("|"):
            for cell in line.strip("|").split("|"):
                yield from parts(cell)
        elif not line.startswith("!"):
            text += " " + line
    yield from parts(text)


def parts(text: str):
    text = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", text))
    yield from re.split(r"(?<=[.!?])\s+", text)
