"""Suggests what the user may have meant by a name or filter without a match, for the note below an error.

Only imported for an error, so its own imports may be slow. It never suggests something that would not work.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .finding import Workspace
    from .selection import Pattern

# `[origin/main]`, `...[HEAD~1]`, `web[main]...`: packages changed since a commit, as in pnpm and lerna.
_SINCE_COMMIT = re.compile(r"(?:\.\.\.\^?)?[^\[\]]*\[[^\[\]]+\](?:\^?\.\.\.)?")


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the item of `known` that `word` probably misspells."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.7)), None)


def is_since_commit(text: str) -> bool:
    """Return whether a filter selects packages changed since a commit; `[ab]` may also be a glob without a match."""
    return _SINCE_COMMIT.fullmatch(text.removeprefix("!")) is not None


def is_certainly_commit(rest: str) -> bool:
    """Return whether a filter without its markers can only mean a commit: brackets that follow a folder, or that
    contain a character unlikely in a character class.

    Anything else, such as `[ab]` and `web[main]`, is a glob; if it matches nothing, a note below the error mentions
    commits.
    """
    if not is_since_commit(rest):
        return False
    before, _, inside = rest.partition("[")
    return before.endswith("}") or any(mark in inside for mark in ("/", "~", "@", "..", "HEAD"))


def suggest_filter(pattern: Pattern, workspace: Workspace, cwd: str) -> str:
    """Return a note on a filter that selected nothing; empty if there is no suggestion."""
    from .selection import BY_FOLDER, BY_PATH

    if not pattern.glob or pattern.by == BY_FOLDER:
        return ""
    path = os.path.relpath(os.path.join(cwd, pattern.glob), cwd)
    is_folder = _is_below(os.path.join(cwd, path), workspace)
    if pattern.by == BY_PATH:
        return f'the packages below that folder are "{{{path}}}"' if is_folder else ""
    names = [package.name for package in workspace.packages if package.name]
    same = [name for name in names if name.endswith(f"/{pattern.glob}")]
    if not same and is_folder:
        return f'the packages at or below that folder are "{{{path}}}"'
    name = (same[0] if len(same) == 1 else None) if same else closest(pattern.glob, names)
    return _did_you_mean(name.join(pattern.text.split(pattern.glob, 1))) if name else ""


def _is_below(folder: str, workspace: Workspace) -> bool:
    """Return whether packages are at or below `folder`."""
    folder = os.path.normpath(folder)
    return any(f"{package.folder}/".startswith(f"{folder}/") for package in workspace.packages)


def _did_you_mean(text: str) -> str:
    return f'did you mean "{text}"?'


def suggest_script(words: Sequence[str], known: Iterable[str]) -> str:
    """Return a note on scripts that do not exist; empty if there is no suggestion."""
    names = list(dict.fromkeys(known))
    close = [found for word in words if (found := closest(word, names))]
    return _did_you_mean(close[0]) if len(words) == len(close) == 1 else ""


_KINDS = {
    int: "a number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def explain_script_entry(name: str, path: str) -> str:
    """Return a note about an entry `name` of "scripts" that is not a string or is empty; otherwise an empty string."""
    import json

    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        scripts = json.loads(text).get("scripts")
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    if not isinstance(scripts, dict) or name not in scripts or (isinstance(scripts[name], str) and scripts[name]):
        return ""
    entry = re.compile(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:")
    found = entry.search(text, text.index('"scripts"'))
    place = f"{path}:{text.count(chr(10), 0, found.start()) + 1}" if found else path
    what = "an empty string" if scripts[name] == "" else _KINDS[type(scripts[name])]
    return f'"{name}" in {place} is {what}; a script must be a non-empty string, the command to run'
