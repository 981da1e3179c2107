"""Which scripts of a package.json a name means, and the processes that one script is made of.

A name is exact, or a glob in which only `*` is special (`build:*`). A script with an empty command is as if it were
not there, and so is an empty hook.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..workspace.manifest import Manifest


def expand(manifest: Manifest | None, name: str, *, globs: bool = True) -> list[str]:
    """Return the scripts of `manifest` that `name` means: itself, or the matches of a glob in alphabetical order."""
    if manifest is None:
        return []
    if manifest.script(name):
        return [name]
    if not globs or "*" not in name:
        return []
    return sorted(script for script, command in manifest.scripts.items() if command and _matches(script, name))


def find_steps(manifest: Manifest, script: str) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return the (name, command) pairs that running `script` means, hooks included, and which of them is itself."""
    steps: list[tuple[str, str]] = []
    main = 0
    for name in (f"pre{script}", script, f"post{script}"):
        if command := manifest.script(name):
            if name == script:
                main = len(steps)
            steps.append((name, command))
    return tuple(steps), main


def _matches(text: str, glob: str) -> bool:
    """Match `glob`, where `*` is any run of characters. Takes each part at its first place, which is never wrong."""
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
