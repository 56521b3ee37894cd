"""Links between files of the repository: the file and the heading must exist."""

import posixpath
import re

from .markdown import ROOT, Document

LINK = re.compile(r"\]\(([^)\s]+)\)")
OWN = re.compile(r"https://github\.com/alfiere/alfiere/(?:blob|tree)/main/")


def faults(documents: list[Document]):
    """One sentence for each link that leads nowhere."""
    known = {document.name: document for document in documents}
    for document in documents:
        for number, line in enumerate(document.prose, 1):
            for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if reason := fault(document, link, known):
                    yield f"{document.name}:{number}: links to {link}: {reason}"


def fault(document: Document, link: str, known: dict[str, Document]) -> str | None:
    target, _, anchor = OWN.sub("/", link).partition("#")
    if ":" in target:
        return None
    if target.startswith("/"):
        path = target[1:]
    else:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document.name), target)) if target else document.name
    if not (ROOT / path).exists():
        return "no such file"
    if anchor and path.endswith(".md"):
        page = known.get(path) or Document(path)
        if anchor not in page.anchors:
            return "no such heading"
    return None
