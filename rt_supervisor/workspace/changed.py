"""Which packages changed since a commit: by files, and by the external dependencies that the lockfile resolves for them.

Uncommitted and untracked files count, both names of a renamed file, and a submodule as a whole. A change of the root's package.json, or
of a file with settings of tasks, changes every package; a change of the lockfile only those whose dependencies it resolves
otherwise.
"""

from __future__ import annotations

import json
import os

from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from . import resolved
from .git import run
from .manifest import FILE_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .finding import Workspace

_OF_ALL = (FILE_NAME, "rtfig.toml", "turbo.json", "turbo.jsonc", "pnpm-workspace.yaml")
_DEFAULT_BRANCHES = ("origin/main", "origin/master", "main", "master")
_MOST_SHOWN = 3


@record
class Since:
    """The changes since the commit `base`: `packages` has the places of changed packages, each with the reason.

    `root_reason` says why the root package changed, which is not among the packages; "" if it did not. `files` are the paths that changed,
    relative to the root, each with whether a file was there before and after. `of_all` is one that concerns every package, "" without
    one; `resolved` are the places of the packages whose external dependencies changed.
    """

    base: str
    packages: Mapping[int, str]
    root_reason: str
    files: Mapping[str, bool]
    of_all: str
    resolved: frozenset[int]


def changed_since(workspace: Workspace, ref: str, *, global_files: Sequence[str] = ()) -> Since:
    """Return what changed since `ref`: a commit, of which the merge base with HEAD counts, or a range `a..b` or `a...b`.

    A change of one of the `global_files` (globs, relative to the root) changes every package. Raises Failed.
    """
    root = workspace.root
    base, files = _changed_files(root, ref)
    paths = sorted(files)
    folders = [_relative(package.folder, root) for package in workspace.packages]
    by_place: dict[int, list[str]] = {}
    of_root: list[str] = []
    of_all = next((path for path in paths if path in _OF_ALL), "") or _first_match(global_files, paths)
    lockfile = resolved.find(root)
    for path in paths:
        places = _places(path, folders)
        for place in places:
            by_place.setdefault(place, []).append(path)
        if not places and path != lockfile:
            of_root.append(path)
    reasons = {place: _files_reason(found) for place, found in by_place.items()}
    others: list[int] = []
    if lockfile in paths and lockfile is not None:
        others = _changed_dependencies(workspace, folders, base, lockfile)
        for place in others:
            reasons.setdefault(place, f"{lockfile}: other external dependencies")
    if of_all:
        reasons = {place: reasons.get(place, f"{of_all} changed") for place in range(len(folders))}
    root_reason = _files_reason(of_root) if of_root else ""
    return Since(base, dict(sorted(reasons.items())), root_reason, files, of_all, frozenset(others))


def folders_at(root: str, commit: str) -> frozenset[str]:
    """Return the folders below `root` that `commit` has, relative to `root`."""
    data = run(root, "ls-tree", "-r", "-d", "--name-only", "-z", commit) or b""
    return frozenset(data.decode("utf-8", "surrogateescape").split("\0"))


def affected_base(root: str, environment: Mapping[str, str]) -> str:
    """Return the commit to compare with: from RT_AFFECTED_BASE, the CI service, or the default branch. Raises Failed."""
    for name in ("RT_AFFECTED_BASE", "TURBO_SCM_BASE", "CI_MERGE_REQUEST_DIFF_BASE_SHA"):
        if base := environment.get(name):
            return base
    if branch := environment.get("GITHUB_BASE_REF") or environment.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"):
        return f"origin/{branch}"
    before = environment.get("CI_COMMIT_BEFORE_SHA") or _github_before(environment)
    if before.strip("0"):
        return before
    head = run(root, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    candidates = ([head.decode().strip()] if head else []) + list(_DEFAULT_BRANCHES)
    for branch in candidates:
        if _commit(root, branch):
            return branch
    raise Failed(
        "no-affected-base",
        "--affected found no default branch (origin/HEAD, main, master): set RT_AFFECTED_BASE to a commit",
    )


def is_commit(root: str, ref: str) -> bool:
    """Return whether the repository of `root` has the commit, branch or tag `ref`."""
    return bool(_commit(root, ref))


def has_repository(root: str) -> bool:
    """Return whether `root` is in a git repository, and git is installed."""
    return run(root, "rev-parse", "--git-dir") is not None


def _changed_files(root: str, ref: str) -> tuple[str, dict[str, bool]]:
    """Return the commit that is compared with, and the paths that changed since, relative to `root`, each with whether a file was there
    before and after.
    """
    if not has_repository(root):
        raise Failed(
            "not-a-repository", f'--filter "[{ref}]": {root} is not in a git repository, or git is not installed'
        )
    first, dots, last = ref.partition("...") if "..." in ref else ref.partition("..")
    start, end = _required(root, first or "HEAD"), _required(root, last or "HEAD")
    base = _merge_base(root, start, end, first) if dots != ".." else start
    words = ["diff", "--name-status", "-z", "--no-renames", "--ignore-submodules=none", "--relative", base]
    if dots:
        words.append(end)
    changed = run(root, *words, "--")
    others = b"" if dots else run(root, "ls-files", "--others", "--exclude-standard", "-z")
    if changed is None or others is None:
        raise Failed("git-failed", f"git cannot compare with {ref}")
    found = {path.rstrip("/"): False for path in _texts(others) if path}
    fields = _texts(changed)
    found |= {path.rstrip("/"): state == "M" for state, path in zip(fields[::2], fields[1::2], strict=False)}
    return base, found


def _texts(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").split("\0")


def _required(root: str, ref: str) -> str:
    commit = _commit(root, ref)
    if commit:
        return commit
    if _is_shallow(root):
        raise Failed("commit-not-fetched", _shallow(f'the commit "{ref}" is not here'))
    raise Failed("no-such-commit", f'"{ref}" is not a commit, branch or tag of this repository')


def _merge_base(root: str, start: str, end: str, shown: str) -> str:
    found = run(root, "merge-base", start, end)
    if found:
        return found.decode().split("\n")[0]
    if _is_shallow(root):
        raise Failed("commit-not-fetched", _shallow(f'the common ancestor of "{shown}" and HEAD is not here'))
    return start


def _shallow(problem: str) -> str:
    return (
        f"{problem}, because the clone is shallow: fetch the whole history "
        "(fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab, or `git fetch --unshallow`)"
    )


def _commit(root: str, ref: str) -> str:
    """Return the commit that `ref` names, "" if there is none."""
    if ref.startswith("-"):
        return ""
    found = run(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return found.decode().strip() if found else ""


def _is_shallow(root: str) -> bool:
    return (run(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def _github_before(environment: Mapping[str, str]) -> str:
    """Return the commit before a push, from the event of GitHub Actions; "" for other events."""
    path = environment.get("GITHUB_EVENT_PATH")
    if environment.get("GITHUB_EVENT_NAME") != "push" or not path:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            before = json.load(file).get("before")
    except (OSError, ValueError, AttributeError):
        return ""
    return before if isinstance(before, str) else ""


def _places(path: str, folders: Sequence[str]) -> list[int]:
    """Return the package that `path` is in, the innermost one; all packages in `path` if that is a submodule."""
    best, length = -1, -1
    inside = []
    for place, folder in enumerate(folders):
        if (path.startswith(f"{folder}/") or not folder) and len(folder) > length:
            best, length = place, len(folder)
        if folder == path or folder.startswith(f"{path}/"):
            inside.append(place)
    return inside or ([best] if best >= 0 else [])


def _changed_dependencies(workspace: Workspace, folders: Sequence[str], base: str, lockfile: str) -> list[int]:
    """Return the packages for which `lockfile` resolves something else than it did at the commit `base`."""
    root = workspace.root
    before = run(root, "show", f"{base}:./{lockfile}")
    try:
        with open(os.path.join(root, lockfile), "rb") as file:
            after = file.read()
    except OSError:
        return list(range(len(folders)))
    if before is None:
        return list(range(len(folders)))
    wanted = {folder: package.ranges for folder, package in zip(folders, workspace.packages, strict=True)}
    old, new = (resolved.digests(data, lockfile, folders, wanted) for data in (before, after))
    return [place for place, folder in enumerate(folders) if old[folder] != new[folder]]


def _first_match(patterns: Sequence[str], paths: Sequence[str]) -> str:
    from .._native import match_glob

    found = [place for pattern in patterns for place in match_glob(pattern, paths)]
    return paths[min(found)] if found else ""


def _relative(folder: str, root: str) -> str:
    relative = os.path.relpath(folder, root)
    return "" if relative == "." else relative


def _files_reason(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MOST_SHOWN} more" if len(paths) > _MOST_SHOWN else ""
    return f"changed: {', '.join(paths[:_MOST_SHOWN])}{more}"
