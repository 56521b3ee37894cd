"""Reads Markdown: blocks of code with the comments before them, code in sentences, headings and links."""

import dataclasses
import functools
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

DIRECTIVE = re.compile(r"<!-- test-docs: *(\w+):? *(.*?) *-->", re.DOTALL)
FENCE = re.compile(r"^( *)```(\w*)")


def tracked(*patterns: str) -> list[str]:
    """Tracked and new files, without those that git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in names if (ROOT / name).exists()]


@dataclasses.dataclass
class Block:
    """A block of code. `line` is that of its first line, from 1."""

    language: str
    text: str
    line: int
    directives: dict[str, str]


class Document:
    """A page, by its path from the root of the repository."""

    def __init__(self, name: str):
        self.name = name
        self.text = (ROOT / name).read_text()
        self.blocks, self.prose = split(self.text)

    def is_guide(self) -> bool:
        """Whether readers type what it shows."""
        return self.name in ("README.md", "CONTRIBUTING.md") or self.name.startswith(("docs/guide/", "docs/book"))

    def copy_name(self) -> str:
        """Documents with the same name share a copy of the files."""
        return "/".join(self.name.split("/")[:2]) if self.name.startswith("docs/book") else self.name

    def spans(self):
        """Code in sentences, with the line."""
        for number, line in enumerate(self.prose, 1):
            for match in re.finditer(r"(?<!`)`([^`]+)`(?!`)", line):
                yield number, match.group(1)

    @functools.cached_property
    def anchors(self) -> set[str]:
        """The fragments of its headings, as GitHub names them."""
        found: dict[str, int] = {}
        anchors = set(re.findall(r'<a (?:id|name)="([^"]+)"', self.text))
        for line in self.prose:
            if match := re.match(r"#+ +(.*)", line):
                slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match.group(1)).lower())
                slug = slug.strip().replace(" ", "-")
                count = found.get(slug, 0)
                found[slug] = count + 1
                anchors.add(f"{slug}-{count}" if count else slug)
        return anchors


def split(text: str) -> tuple[list[Block], list[str]]:
    """Blocks of code, and the lines with these blocks and the comments blank."""
    prose, blocks, directives = [], [], {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if line.lstrip().startswith("<!--"):
            comment = [line]
            while "-->" not in comment[-1]:
                comment.append(next(lines)[1])
            directives |= dict(DIRECTIVE.findall("\n".join(comment)))
            prose += [""] * len(comment)
        elif match := FENCE.match(line):
            body, fence = [], match.group(1) + "```"
            for _, inner in lines:
                if inner.startswith(fence) and not inner[len(fence):].strip():
                    break
                body.append(inner.removeprefix(match.group(1)))
            blocks.append(Block(match.group(2), "\n".join(body), number + 1, directives))
            directives = {}
            prose += [""] * (len(body) + 2)
        else:
            if line.strip():
                directives = {}
            prose.append(line)
    return blocks, prose
