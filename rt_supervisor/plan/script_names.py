"""Selects the scripts of a package.json that a name refers to, and lists the steps of one script.

A name is exact, a glob in which only `*` is special (`build:*`), or a regular expression between slashes (`/^build:/`), as
in pnpm. Scripts and hooks with an empty command do not count.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workspace.manifest import Manifest


def expand(manifest: Manifest | None, name: str, *, globs: bool = True) -> list[str]:
    """Return the scripts of `manifest` that `name` refers to: itself, or the matches of a pattern in alphabetical order.

    Raises Failed for a malformed regular expression.
    """
    if manifest is None:
        return []
    if manifest.script(name):
        return [name]
    if is_expression(name):
        return sorted(filter(_compile(name), (script for script, command in manifest.scripts.items() if command)))
    if not globs or "*" not in name:
        return []
    return sorted(script for script, command in manifest.scripts.items() if command and _matches(script, name))


def is_expression(name: str) -> bool:
    """Return whether `name` has the form of a regular expression, `/…/`."""
    return len(name) > 2 and name[0] == name[-1] == "/"


def _compile(name: str) -> Callable[[str], object]:
    import re

    try:
        return re.compile(name[1:-1]).search
    except re.error as problem:
        raise Failed("bad-expression", f'invalid regular expression "{name}": {problem}') from problem


def find_steps(manifest: Manifest, script: str) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return the (name, command) pairs of the steps of `script`, with its hooks, and the index of the script itself."""
    steps: list[tuple[str, str]] = []
    main = 0
    for name in (f"pre{script}", script, f"post{script}"):
        if command := manifest.script(name):
            if name == script:
                main = len(steps)
            steps.append((name, command))
    return tuple(steps), main


def _matches(text: str, glob: str) -> bool:
    """Match `glob`, in which `*` matches any characters. Greedy from the left: the first match of each part suffices."""
    first, *middle, last = glob.split("*")
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
