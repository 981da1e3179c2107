"""The filter grammar: which packages of a workspace `--filter` patterns select.

A pattern is `name-glob`, `./path-glob` or `{dir}` (everything at or below), optionally with `...` in front (includes
dependents) or at the end (includes dependencies), `^` beside the dots (excludes the package itself), and `!` in front
of everything (excludes). The result is the union of all included packages without the excluded ones; exclusions alone
start from all packages. As in the peer, a package without a name is only selected by a path or folder.

The package in the root folder takes part only if `workspaces` lists it, or if a pattern names exactly it: by its name, by the
path of its folder, or with `//`.
"""

from __future__ import annotations

import os

from .._native import match_glob
from ..vocabulary.errors import Failed
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..graph import Edges
    from .finding import Workspace
    from .manifest import Manifest

BY_NAME = "name"
BY_PATH = "path"
BY_FOLDER = "folder"
BY_ROOT = "root"
ROOT = "//"  # the filter that --workspace-root stands for

_GLOB_SPECIALS = "\\*?[]{},!"


@record
class Pattern:
    """One parsed `--filter`. `text` is as the user wrote it, `glob` is the rest without the markers around it.

    If `since` is not empty, the pattern selects only packages that changed since that commit.
    """

    text: str
    glob: str
    by: str
    negated: bool = False
    with_dependents: bool = False
    with_dependencies: bool = False
    without_itself: bool = False
    since: str = ""


@record
class Selection:
    """`packages` are indexes into `Workspace.packages`, ascending; `unmatched` are the including patterns without a
    match.

    `unchanged` are including patterns whose packages have not changed since their commits. `reasons` maps each selected package to the first pattern that included it, or None if there were only exclusions.
    """

    packages: tuple[int, ...]
    unmatched: tuple[str, ...]
    reasons: dict[int, Pattern | None]
    unchanged: tuple[str, ...] = ()


def parse_pattern(text: str, *, is_by_commit: bool = False) -> Pattern:
    """Parse a filter. Raises Failed if nothing is left between the dots.

    Brackets at the end name a commit if they cannot be a character class, or if the pattern `is_by_commit`.
    """
    negated = text.startswith("!")
    rest = text[1:] if negated else text
    without_itself = False
    if with_dependents := rest.startswith("..."):
        rest = rest[3:]
        if rest.startswith("^"):
            rest, without_itself = rest[1:], True
    if with_dependencies := rest.endswith("..."):
        rest = rest[:-3]
        if rest.endswith("^"):
            rest, without_itself = rest[:-1], True
    since = ""
    if rest.endswith("]") and "[" in rest:
        from .suggestions import is_certainly_commit

        if is_by_commit or is_certainly_commit(rest):
            rest, _, since = rest[:-1].partition("[")
    if not rest and not since and (with_dependents or with_dependencies):
        raise Failed("filter-without-name", f'--filter "{text}" is missing a workspace name or path')
    if rest == ROOT:
        by = BY_ROOT
    elif len(rest) >= 2 and rest[0] == "{" and rest[-1] == "}":
        by, rest = BY_FOLDER, rest[1:-1]
    else:
        by = BY_PATH if rest.startswith(".") else BY_NAME
    return Pattern(text, rest, by, negated, with_dependents, with_dependencies, without_itself, since)


def names_root(text: str, root: Manifest, cwd: str) -> bool:
    """Return whether the filter `text` names exactly the root package."""
    pattern = parse_pattern(text)
    if pattern.by == BY_ROOT:
        return True
    if pattern.by == BY_PATH:
        return os.path.normpath(os.path.join(cwd, pattern.glob)) == root.folder
    return pattern.by == BY_NAME and bool(root.name) and pattern.glob == root.name


def select(
    workspace: Workspace,
    edges: Edges,
    *,
    patterns: Sequence[str],
    cwd: str,
    affected_since: str = "",
    root: int | None = None,
) -> Selection:
    """Return the packages of `workspace` that `patterns` select; paths in them are relative to `cwd`.

    With `affected_since`, only packages that changed since that commit, and their dependents, remain. `root` is the place of a root package that only patterns select that name exactly it.
    """
    names = [package.name or "" for package in workspace.packages]
    folders = [package.folder for package in workspace.packages]
    included: dict[int, Pattern | None] = {}
    excluded: set[int] = set()
    unmatched: list[str] = []
    unchanged: list[str] = []
    parsed = [parse_pattern(text) for text in patterns]
    for pattern, text in zip(parsed, patterns, strict=True):
        found = _matching(pattern, names, folders, cwd)
        if not found and "[" in pattern.text and _names_commit(workspace, pattern):
            pattern = parse_pattern(pattern.text, is_by_commit=True)
            found = _matching(pattern, names, folders, cwd)
        if pattern.by == BY_ROOT:
            found = {place for place, folder in enumerate(folders) if folder == workspace.root}
        elif root is not None and not names_root(text, workspace.packages[root], cwd):
            found = found - {root}
        if pattern.since:
            found = found & _changed(workspace, pattern.since)
        matched = _follow_edges(found, pattern, edges)
        if pattern.negated:
            excluded |= matched
        elif matched:
            for place in matched:
                included.setdefault(place, pattern)
        elif pattern.since:
            unchanged.append(pattern.text)
        else:
            unmatched.append(pattern.text)
    if all(pattern.negated for pattern in parsed):
        included = dict.fromkeys(place for place in named_packages(workspace) if place != root)
    if affected_since:
        changed = parse_pattern(f"...[{affected_since}]", is_by_commit=True)
        remaining = _follow_edges(_changed(workspace, affected_since), changed, edges)
        if not remaining.intersection(included.keys() - excluded):
            unchanged.append(changed.text)
        excluded |= included.keys() - remaining
    packages = tuple(sorted(included.keys() - excluded))
    reasons = {place: included[place] for place in packages}
    return Selection(packages, tuple(unmatched), reasons, tuple(dict.fromkeys(unchanged)))


def _names_commit(workspace: Workspace, pattern: Pattern) -> bool:
    """Return whether a pattern that is a glob without a match, such as `web[main]`, ends with a commit of the repository.

    One of brackets alone, such as `[main]`, can hardly be about names of one character, so a commit that is missing is an error.
    """
    from .changed import has_repository, is_commit
    from .suggestions import is_since_commit

    if pattern.since or not is_since_commit(pattern.text):
        return False
    before, _, rest = pattern.glob.partition("[")
    ref = rest.partition("]")[0]
    return is_commit(workspace.root, ref) or (not before and len(ref) > 1 and has_repository(workspace.root))


def _changed(workspace: Workspace, since: str) -> set[int]:
    from .changed import changed_since

    return set(changed_since(workspace, since).packages)


def named_packages(workspace: Workspace) -> list[int]:
    """Return the packages from which `--workspaces`, `*` and a list of exclusions start."""
    return [place for place, package in enumerate(workspace.packages) if package.name]


def _matching(pattern: Pattern, names: list[str], folders: list[str], cwd: str) -> set[int]:
    if pattern.by == BY_NAME:
        if pattern.since and not pattern.glob:
            return set(range(len(names)))
        if pattern.glob == "*":
            return {place for place, name in enumerate(names) if name}
        return {place for place in match_glob(pattern.glob, names) if names[place] and pattern.glob}
    glob = os.path.normpath(os.path.join(_escape(cwd), pattern.glob))
    matched = set(match_glob(glob, folders))
    if pattern.by == BY_FOLDER:
        matched.update(match_glob(os.path.join(glob, "**"), folders))
    return matched


def _escape(path: str) -> str:
    return "".join("\\" + char if char in _GLOB_SPECIALS else char for char in path)


def _follow_edges(matched: set[int], pattern: Pattern, edges: Edges) -> set[int]:
    """Add the dependencies and dependents that `pattern` includes, and remove the matches if it excludes them."""
    result = set() if pattern.without_itself else set(matched)
    if pattern.with_dependencies:
        result |= reachable(matched, edges.__getitem__)
    if pattern.with_dependents:
        dependents: list[list[int]] = [[] for _ in edges]
        for package, dependencies in enumerate(edges):
            for dependency in dependencies:
                dependents[dependency].append(package)
        result |= reachable(matched, dependents.__getitem__)
    return result - matched if pattern.without_itself else result


def reachable(starts: Iterable[int], following: Callable[[int], Iterable[int]]) -> set[int]:
    """Return `starts` and everything reachable from them."""
    found = set(starts)
    todo = list(found)
    while todo:
        fresh = set(following(todo.pop())) - found
        found |= fresh
        todo.extend(fresh)
    return found
