"""The Italian edition of the book shows the commands, outputs and pieces of code of the English one, and has its sections and exercises."""

import posixpath
import re

from .markdown import ROOT, Block, Document

ENGLISH, ITALIAN = "docs/book/src/", "docs/book-it/src/"
INCLUDE = re.compile(r"\{\{#include ([^}:]*)(:?[^}]*)\}\}")


def is_translation(document: Document) -> bool:
    return document.name.startswith(ITALIAN)


def faults(documents: list[Document]):
    """One sentence for each chapter that differs from its original."""
    for document in filter(is_translation, documents):
        english = document.name.replace(ITALIAN, ENGLISH)
        # Only the Italian edition has a glossary.
        if (ROOT / english).exists() and (reason := difference(document, Document(english))):
            yield f"{document.name}{reason}"


def difference(document: Document, original: Document) -> str | None:
    for name, pattern in (("sections", r"##+ "), ("numbered items", r"\d+\. ")):
        here, there = (sum(bool(re.match(pattern, line)) for line in page.prose) for page in (document, original))
        if here != there:
            return f": {here} {name}, the English edition has {there}"
    if len(document.blocks) != len(original.blocks):
        return f": {len(document.blocks)} blocks of code, the English edition has {len(original.blocks)}"
    for here, there in zip(document.blocks, original.blocks):
        # Diagrams are translated.
        shown = there.language != "text" or "output" in there.directives
        if here.language != there.language or shown and code(document, here) != code(original, there):
            return f":{here.line}: shows\n{here.text}\nand {original.name}:{there.line}\n{there.text}"
    return None


def code(document: Document, block: Block) -> str:
    """The text, with included files by their path from the root of the repository."""
    folder = posixpath.dirname(document.name)
    return INCLUDE.sub(lambda match: posixpath.normpath(posixpath.join(folder, match[1])) + match[2], block.text)
