"""Lists of globs: which paths of a package `inputs` and `outputs` match.

Patterns are relative to the package; `!` excludes, regardless of its position. A pattern also matches everything below
a folder that it matches. `$TURBO_ROOT$/` refers to the root of the workspace, and `..` may leave the package: such
patterns are rewritten, so that all paths and patterns here are relative to the root.
"""

from __future__ import annotations

import functools
import os
import re

from .._native import match_glob
from ..vocabulary.record import record
from .setting_table import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT = "$TURBO_DEFAULT$"
_ROOT = "$TURBO_ROOT$/"
_ESCAPES = {ord(char): f"\\{char}" for char in "*?[]{}\\!"}
_SPECIAL = re.compile(r"[*?\[\]{}\\]")
_ESCAPED = re.compile(r"[*?\[\]{}\\!]")


@record
class Globs:
    """`included` and `excluded` are relative to the root. `has_default` includes all files of the package."""

    included: tuple[str, ...]
    excluded: tuple[str, ...]
    has_default: bool

    def __hash__(self) -> int:
        return hash((self.included, self.excluded))

    def matching(self, paths: Sequence[str]) -> list[str]:
        """Return those of `paths`, in order, that the lists include; `has_default` has no effect here."""
        found: set[int] = set()
        for pattern in self.included:
            found.update(_matches(pattern, paths))
        for pattern in self.excluded if found else ():
            found.difference_update(_matches(pattern, paths))
        return [paths[place] for place in sorted(found)]

    def has_all_below(self, start: str, paths: Sequence[str]) -> bool:
        """Return whether the lists include all of `paths`, which are `start` or below it, at first sight: a pattern is `start/**`."""
        return not self.excluded and f"{start}/**" in self.included and start not in paths

    def without_excluded(self, paths: Sequence[str]) -> list[str]:
        """Return `paths` without the excluded ones."""
        excluded: set[int] = set()
        for pattern in self.excluded:
            excluded.update(_matches(pattern, paths))
        return [path for place, path in enumerate(paths) if place not in excluded] if excluded else list(paths)

    def starts(self) -> list[str]:
        """Return the folders and files that contain everything that the patterns can match, "" for the root."""
        return sorted({static_prefix(pattern) for pattern in self.included})


_PLAIN = re.compile(r"\.?[\w*-][\w*.-]*(?:/\.?[\w*-][\w*.-]*)*")
"""Patterns that are their own normal form, whatever folder they are relative to: no part is empty or consists of dots."""


def parse(patterns: Sequence[str], folder: str) -> Globs:
    """Return the lists of a package at `folder`, relative to the root ("" for the root itself)."""
    plain = _plain(tuple(patterns))
    if plain is not None and folder:
        above = f"{escape(folder)}/"
        return Globs(
            tuple([above + pattern for pattern in plain[0]]), tuple([above + pattern for pattern in plain[1]]), plain[2]
        )
    return _parse(patterns, folder)


@functools.lru_cache(maxsize=256)
def _plain(patterns: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], bool] | None:
    """Return the fields of the lists of a package at the root if they are the same below each folder, None otherwise."""
    bare = [pattern.removeprefix("!") for pattern in patterns]
    if not all(pattern in (AUTO, DEFAULT) or _PLAIN.fullmatch(pattern) for pattern in bare):
        return None
    globs = _parse(patterns, "")
    return globs.included, globs.excluded, globs.has_default


def whole_folder(patterns: tuple[str, ...], folder: str) -> str:
    """Return the folder of which `patterns` of the package at `folder` match everything, and nothing else; "" if that is not obvious."""
    own = _whole_folder(patterns)
    return f"{folder}/{own}" if own and folder and _ESCAPED.search(folder) is None else ""


@functools.lru_cache(maxsize=256)
def _whole_folder(patterns: tuple[str, ...]) -> str:
    own = patterns[0].removesuffix("/**") if len(patterns) == 1 and patterns[0].endswith("/**") else ""
    return own if "*" not in own and _PLAIN.fullmatch(own) else ""


def _parse(patterns: Sequence[str], folder: str) -> Globs:
    included: list[str] = []
    excluded: list[str] = []
    has_default = False
    for written in patterns:
        if written == AUTO:  # what it stands for is known when the task has ended
            continue
        bare = written.removeprefix("!")
        if bare == DEFAULT:
            has_default = has_default or written == bare
            continue
        own = bare.removeprefix(_ROOT) if bare.startswith(_ROOT) else os.path.join(escape(folder), bare)
        pattern = os.path.normpath(own)
        if pattern.startswith("../") or pattern in ("..", "."):
            pattern = "**" if pattern == "." else pattern
        (included if written == bare else excluded).append(pattern)
    return Globs(tuple(included), tuple(excluded), has_default)


def escape(path: str) -> str:
    """Return a glob that matches only `path`."""
    return path if _ESCAPED.search(path) is None else path.translate(_ESCAPES)


def static_prefix(pattern: str) -> str:
    """Return the folders of `pattern` before its first special character; the whole pattern if it has none."""
    found = _SPECIAL.search(pattern)
    return pattern if found is None else pattern[: max(0, pattern.rfind("/", 0, found.start()))]


def literal_of(pattern: str) -> tuple[str, bool] | None:
    """Return the path everything below which `pattern` matches, and whether it matches the path itself; None if it has other wildcards."""
    folder = pattern.removesuffix("/**")
    return (folder, folder == pattern) if _SPECIAL.search(folder) is None else None


def _matches(pattern: str, paths: Sequence[str]) -> Sequence[int]:
    literal = literal_of(pattern)
    if literal is not None:  # much faster than an expression: most patterns are "src/**"
        folder, is_exact = literal
        below = folder + "/"
        return [place for place, path in enumerate(paths) if path.startswith(below) or (is_exact and path == folder)]
    return {*match_glob(pattern, paths), *match_glob(f"{pattern}/**", paths)}  # type: ignore[return-value]
