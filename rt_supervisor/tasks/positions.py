"""The lines of keys in JSON documents with comments, for errors that name a line."""

from __future__ import annotations

import re

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\]:,]', re.DOTALL)


def lines_of_json_keys(text: str) -> dict[tuple[str, ...], int]:
    """Return the line, from 1, of each key, by its path from the root; elements of lists have the path of the list."""
    lines: dict[tuple[str, ...], int] = {}
    path: list[str] = []  # the keys of the open objects and lists, "" for the root and for elements of lists
    key = ""
    string, line, at = "", 1, 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        line += text.count("\n", at, token.start())
        at = token.start()
        if word[0] == '"':
            string = word[1:-1]
        elif word == ":":
            key = string
            lines.setdefault((*filter(None, path), key), line)
        elif word in "{[":
            path.append(key)
            key = ""
        elif word in "}]" and path:
            key = path.pop()
    return lines
