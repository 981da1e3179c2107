"""Which files of a folder are followed: the `.gitignore` files in, above and below it, and the patterns of the config.

Pathspec reads the patterns as git does. Version control and installed packages are never followed, and without a
`.gitignore` neither are the usual output folders of tools. `[watch] include` overrides both. Files that rt itself prints to
(`rt --watch run dev > log`) are never followed.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from pathspec import GitIgnoreSpec

    _Specs: TypeAlias = tuple[tuple[int, GitIgnoreSpec], ...]

NEVER = frozenset((".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__"))
OUTPUT = frozenset(("build", "coverage", "dist", "out", ".cache", ".next", ".nuxt", ".output", ".svelte-kit", ".turbo"))
IGNORE_FILE = ".gitignore"
# Files that editors create beside the one they save: vim's swap files and its probe, Emacs' locks and backups.
_EDITOR_ENDINGS = ("~", ".swp", ".swx", ".swo", ".tmp")


class IgnoreRules:
    """The rules of one tree; the `.gitignore` of a folder is read when it is first needed."""

    def __init__(self, root: str, *, ignore: Sequence[str] = (), include: Sequence[str] = ()) -> None:
        """The patterns of the config are relative to `root`. An ignored folder is ignored with everything in it."""
        self._root = root
        self._ignore = _spec(ignore)
        self._include = _spec(include)
        self._of_folder: dict[str, _Specs] = {}
        self._printed = _redirected_output()
        self._printed_names = {os.path.basename(path) for path in self._printed}
        self._top = _repository_top(root)
        self._knows_output = bool(self._specs_of(root))

    def is_ignored(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a rule for `path` itself (absolute, below the root) excludes it."""
        name = os.path.basename(path)
        if name in NEVER:
            return True
        if name in self._printed_names and os.path.realpath(path) in self._printed:
            return True
        if not is_folder and (name.endswith(_EDITOR_ENDINGS) or name.startswith(".#") or name == "4913"):
            return True
        if self._include is not None or self._ignore is not None:
            shown = os.path.relpath(path, self._root) + ("/" if is_folder else "")
            if self._include is not None and self._include.match_file(shown):
                return False
            if self._ignore is not None and self._ignore.match_file(shown):
                return True
        if not self._knows_output and is_folder and name in OUTPUT:
            return True
        return self._is_gitignored(path, is_folder=is_folder)

    def is_left_out_of_program(self, path: str) -> bool:
        """Return whether the config excludes a file that a program has loaded; `.gitignore` does not apply to those."""
        shown = os.path.relpath(path, self._root)
        return self._ignore is not None and bool(self._ignore.match_file(shown))

    def forget(self) -> None:
        """Read each `.gitignore` again when it is next needed."""
        self._of_folder.clear()

    def _is_gitignored(self, path: str, *, is_folder: bool) -> bool:
        shown = f"{path}/" if is_folder else path
        for start, spec in self._specs_of(os.path.dirname(path)):
            answer = spec.check_file(shown[start:]).include
            if answer is not None:
                return answer  # the nearest file with a matching rule decides
        return False

    def _specs_of(self, folder: str) -> _Specs:
        """Return the patterns that apply to the entries of `folder`: those of its `.gitignore`, and of its ancestors up to the top of the
        repository, the nearest first, each with where the part of a path begins that they are compared with.
        """
        found = self._of_folder.get(folder)
        if found is None:
            above = os.path.dirname(folder)
            found = () if folder in (self._top, above) else self._specs_of(above)
            spec = _spec_in(folder)
            if spec is not None:
                found = ((len(folder.rstrip("/")) + 1, spec), *found)
            self._of_folder[folder] = found
        return found


def _spec_in(folder: str) -> GitIgnoreSpec | None:
    try:
        with open(os.path.join(folder, IGNORE_FILE), encoding="utf-8", errors="replace") as file:
            return _spec(file.read().splitlines())
    except OSError:
        return None


def _redirected_output() -> set[str]:
    """Return the real paths of the files that standard output and standard error go to."""
    paths = set()
    for descriptor in (1, 2):
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                paths.add(os.readlink(f"/proc/self/fd/{descriptor}"))
        except OSError:  # closed
            continue
    return paths


def _spec(lines: Sequence[str]) -> GitIgnoreSpec | None:
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return _spec([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    """Return whether `line` is a pattern; git ignores other lines."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _repository_top(folder: str) -> str:
    """Return the folder at or above `folder` that contains a repository; `folder` itself if there is none."""
    above = folder
    while not os.path.lexists(os.path.join(above, ".git")):
        if above == os.path.dirname(above):
            return folder
        above = os.path.dirname(above)
    return above
