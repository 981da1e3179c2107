"""Reads the `packages` list of a pnpm-workspace.yaml, without a YAML parser.

Supports a block list (`- 'apps/*'`) or a flow list (`['apps/*', libs/*]`) of plain or quoted strings with comments,
which is what such files contain. Anything else (anchors, block scalars, tags) is ignored: a pattern that is not
understood selects no package.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_BYTES = 1 << 20


def read_patterns(path: str) -> tuple[str, ...] | None:
    """Return the globs listed under `packages` in the file at `path`; None if there is no such file or list."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return parse_patterns(file.read(LARGEST_BYTES).decode("utf-8-sig", "replace"))
    except OSError:
        return None


def parse_patterns(text: str) -> tuple[str, ...] | None:
    """Return the items of the top-level key `packages`; None if there is no such list."""
    lines = iter(text.splitlines())
    for line in lines:
        key, colon, rest = line.partition(":")
        if not colon or _unquote(key.rstrip()) != "packages" or key[:1] in " \t":
            continue
        rest = _without_comment(rest).strip()
        if rest.startswith("["):
            while not rest.endswith("]") and (more := next(lines, None)) is not None:
                rest += " " + _without_comment(more).strip()
            return tuple(item for part in _split_flow(rest[1:].removesuffix("]")) if (item := _unquote(part.strip())))
        return None if rest else _block_items(lines)
    return None


def _block_items(lines: Iterator[str]) -> tuple[str, ...] | None:
    items = []
    for line in lines:
        content = _without_comment(line).strip()
        if not content:
            continue
        if content != "-" and not content.startswith("- "):
            break
        if item := _unquote(content[1:].strip()):
            items.append(item)
    return tuple(items) or None


def _without_comment(line: str) -> str:
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and (at == 0 or line[at - 1] in " \t-[,"):
            quote = char
        elif char == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line


def _split_flow(text: str) -> list[str]:
    """Split a flow list at its commas, except for those in quotes and in braces of a glob."""
    parts, quote, depth = [""], "", 0
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and not parts[-1].strip():
            quote = char
        depth += (char == "{") - (char == "}") if not quote else 0
        if char == "," and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _unquote(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text
