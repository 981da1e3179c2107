"""What a traced task depends on and what it wrote: the classification of its trace, and observations that can be compared later.

An observation is a line of text about a path, such as "absent", "content 644 DIGEST" or "link TARGET"; a listed folder has one under its
path with a slash. Paths in the workspace are relative to its root, others are absolute. What a task has written before it read it is an
output, not an input; a file that it reads and then changes belongs to no result.
"""

from __future__ import annotations

import os
import stat

from .._native import digest_of
from ..vocabulary.record import record
from .digests import identity_of
from .trace_scope import TraceScope
from .traces import (
    ATTRIBUTES_SET,
    EXAMINED,
    EXECUTED,
    LISTED,
    LOOKED_UP,
    OPENED_TO_CHANGE,
    READ,
    WRITTEN,
    names_without,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from .digests import DigestMemo, Identity
    from .traces import Trace, Use

EVERYTHING = TraceScope()
ABSENT = "absent"
_CONTENT = "content"

INSIDE = "inside"
OUTSIDE = "outside"
TEMPORARY = "temporary"  # only the content of files counts that were there before
IGNORED = "ignored"
_VOLATILE = ("/proc", "/sys", "/dev", "/run", "/var/run")
_HOME_CACHES = (".cache", ".npm", ".bun/install/cache", ".cargo/registry", ".cargo/git", "go/pkg")
_HOME_CACHE_FILES = (".cargo/.package-cache", ".cargo/.global-cache")  # and files whose names are longer
_CACHES = (*(f"/node_modules/{name}/" for name in (".cache", ".vite", ".vite-temp", ".tmp")), "/__pycache__/")
_STATEFUL = ".tsbuildinfo"  # says that outputs are there, which rt may have removed


class Ground:
    """Which files count: by their place, relative to the workspace at `root` and the folders that `environment` names.

    `outside` has the observations of unchanged files outside the workspace, which a run does not change, by path, each with the use that
    it is of.
    """

    def __init__(self, root: str, environment: Mapping[str, str]) -> None:
        self.root = root
        home = os.path.realpath(environment.get("HOME") or os.path.expanduser("~"))
        caches = [os.path.join(home, name) for name in _HOME_CACHES]
        if cache := environment.get("XDG_CACHE_HOME"):
            caches.append(os.path.realpath(cache))
        self.outside: dict[str, tuple[Use, str]] = {}
        self._changed_outside: set[str] = set()
        self._places: dict[str, str] = {}
        self._cache_files = tuple(os.path.join(home, name) for name in _HOME_CACHE_FILES)
        temporary = {"/tmp", "/var/tmp", os.path.realpath(environment.get("TMPDIR") or "/tmp")}
        # Each folder with a slash, because a path with one begins with it if it is the folder or below it.
        self._inside = f"{root}/"
        self._ignored = tuple(
            f"{folder}/" for folder in (*_VOLATILE, *caches) if not self._inside.startswith(f"{folder}/")
        )
        self._temporary = tuple(f"{folder}/" for folder in temporary - {"/", root})

    def settle(self, path: str, use: Use, value: str) -> None:
        """Keep the observation of an unchanged file outside the workspace for the tasks that use it in the same way."""
        known = self.outside.get(path)
        if known is not None and known[0].first != use.first:
            self._changed_outside.add(path)
        self.outside[path] = (use, value)

    def take_changed_outside(self) -> set[str]:
        """Return and forget the paths in `outside` that have changed since they were observed first. A task that looked at one of them before
        the change may have read it afterwards.
        """
        changed = {path for path, (use, _) in self.outside.items() if _problem(use.first, _state(path), use.flags)}
        changed |= self._changed_outside
        for path in changed:
            del self.outside[path]
        self._changed_outside.clear()
        return changed

    def place_of(self, path: str) -> str:
        """Return INSIDE, OUTSIDE, TEMPORARY or IGNORED for an absolute path."""
        known = self._places.get(path)
        if known is None:
            known = self._place_of(path)
            if known != INSIDE:  # most tasks use the same files of the system
                self._places[path] = known
        return known

    def _place_of(self, path: str) -> str:
        marked = f"{path}/"
        if path.startswith(self._cache_files) or marked.startswith(self._ignored):
            return IGNORED
        is_inside = marked.startswith(self._inside)
        if _may_be_cache(marked):
            below = marked[len(self.root) :] if is_inside else marked
            if any(cache in below for cache in _CACHES) and not path.endswith(_STATEFUL):
                return IGNORED
        if is_inside:
            return INSIDE
        return TEMPORARY if marked.startswith(self._temporary) else OUTSIDE

    def name_of(self, path: str) -> str:
        """Return the name that observations have for an absolute path; "." for the root."""
        if path.startswith(self._inside):
            return path[len(self._inside) :] or "."
        return "." if path == self.root else path

    def path_of(self, name: str) -> str:
        """Return the absolute path of a name; also of a listed folder."""
        bare = name[:-1] if is_listing(name) else name
        return bare if bare.startswith("/") else self.root if bare == "." else f"{self.root}/{bare}"


def is_listing(name: str) -> bool:
    """Return whether an observation is about the names in a folder."""
    return name.endswith("/") and name != "/"


def _may_be_cache(path: str) -> bool:
    """Return whether a path may contain one of `_CACHES`, at first sight."""
    return "/node_modules/." in path or "/__pycache__/" in path


@record
class Classified:
    """What a trace says: `inputs` are the observations, `outputs` what exists of what was written, `own` all that was, with temporary
    files. With a `problem`, the result must not be stored; `changed` is an input that another process has changed meanwhile. Paths are names
    (`Ground.name_of`).
    """

    inputs: Mapping[str, str]
    outputs: tuple[str, ...]
    own: tuple[str, ...]
    problem: str = ""
    changed: str = ""


def classify(trace: Trace, ground: Ground, memo: DigestMemo, scope: TraceScope = EVERYTHING) -> Classified:
    """Return what a task that has just ended depends on and wrote, as far as `scope` traces it."""
    inputs: dict[str, str] = {}
    has_patterns = scope.not_inputs.included or scope.not_outputs.included
    names = [ground.name_of(path) for path in trace.uses] if has_patterns else ()
    no_inputs, no_outputs = scope.other_than_inputs(names), scope.other_than_outputs(names)
    outputs: list[str] = []
    own: set[str] = set()  # absolute
    listed: list[tuple[str, Use]] = []
    problems = list(trace.obstacles)
    changed: list[str] = []
    for path, use in trace.uses.items():
        settled = ground.outside.get(path)
        if settled is not None and settled[0] is use and scope.traces_inputs and path not in no_inputs:
            inputs[path] = settled[1]
            continue
        place = ground.place_of(path)
        if place == IGNORED:
            if not (use.flags & EXECUTED and use.first is not None):
                continue
            place = OUTSIDE  # what is in a cache does not change a result, but a program from one does
        about = _state(path)
        flags, name = use.flags, ground.name_of(path)
        is_input = scope.traces_inputs and name not in no_inputs
        if flags & LISTED and place != TEMPORARY and is_input:
            listed.append((path, use))
        if flags & WRITTEN and use.first is not None and _is_unchanged(use.first, about):
            flags = flags & ~WRITTEN | LOOKED_UP  # the call failed
        if flags & WRITTEN:
            own.add(path)
            is_output = scope.traces_outputs and name not in no_outputs
            if place == TEMPORARY or (use.first is None and about is None) or _is_in_git(path):
                continue
            if place == OUTSIDE and is_output:
                problems.append(f"it writes {path}, which is outside of the workspace")
            elif flags & READ and use.first is not None and not stat.S_ISDIR(use.first[1]) and (is_input or is_output):
                problems.append(f"it reads {name} and then changes it")
                if is_input:
                    inputs[name] = describe(path, about, memo, reads=True)
            elif about is not None:
                if is_output:
                    outputs.append(name)
            elif is_input:
                inputs[name] = ABSENT
            elif is_output:
                problems.append(f"it removes {name}, which is not one of its inputs")
        elif problem := _problem(use.first, about, flags):
            if not _is_in_git(path) and (
                is_input or (scope.traces_outputs and _changes(flags) and name not in no_outputs)
            ):
                problems.append(f"{name} {problem}")
                if is_input:
                    inputs[name] = describe(path, about, memo, reads=True)
                    changed += [name] * (not _changes(flags))
        elif not is_input:
            continue
        elif flags & ~LISTED and (place != TEMPORARY or (flags & READ and about is not None)):
            inputs[name] = describe(path, about, memo, reads=bool(flags & (READ | EXAMINED)))
            if name == path and place == OUTSIDE and flags == use.flags and not flags & LISTED:
                ground.settle(path, use, inputs[name])
    for path, use in listed:
        inputs[f"{ground.name_of(path)}/"] = _listing(use.names, path, own, ground, scope)
    return Classified(
        dict(sorted(inputs.items())),
        tuple(sorted(outputs)),
        tuple(sorted(map(ground.name_of, own))),
        min(problems, default=""),
        min(changed, default=""),
    )


def _problem(first: Identity | None, about: os.stat_result | None, flags: int) -> str:
    """Say how a path that was not replaced has changed since it was first used; "" if it has not."""
    if first is None:
        return "" if about is None else "has been created by another process while it ran"
    now = None if about is None else identity_of(about)
    if flags & OPENED_TO_CHANGE and now != first:
        return "is read and then changed by it"
    if now is None or stat.S_IFMT(now[1]) != stat.S_IFMT(first[1]):
        return "has been removed by another process while it ran"
    if now[1] != first[1]:
        return f"has got other permissions {'from it' if flags & ATTRIBUTES_SET else 'while it ran'}"
    is_read = stat.S_ISLNK(now[1]) or flags & (READ | EXAMINED)  # a link that was looked up was followed
    has_same_content = stat.S_ISDIR(now[1]) or not is_read or now[2:4] == first[2:4]
    is_same = has_same_content and (stat.S_ISDIR(now[1]) or flags & ATTRIBUTES_SET or now[0] == first[0])
    return "" if is_same else "has changed while it ran"


def _changes(flags: int) -> bool:
    """Return whether a use that does not replace a file may change it."""
    return bool(flags & (OPENED_TO_CHANGE | ATTRIBUTES_SET))


def _is_unchanged(first: Identity, about: os.stat_result | None) -> bool:
    if about is None:
        return False
    now = identity_of(about)
    return now[:2] == first[:2] if stat.S_ISDIR(first[1]) else now == first


def _is_in_git(path: str) -> bool:
    """Return whether a path is in git's own folder, whose index also commands rewrite that only read it."""
    return "/.git/" in f"{path}/"


def _state(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def has_content(value: str) -> bool:
    """Return whether an observation covers the content of a file."""
    return value.startswith(_CONTENT)


def describe(path: str, about: os.stat_result | None, memo: DigestMemo, *, reads: bool) -> str:
    """Return the observation of what is at an absolute path; of a file with its content if `reads`, otherwise only its kind."""
    if about is None:
        return ABSENT
    mode = about.st_mode
    if stat.S_ISLNK(mode):
        return f"link {os.readlink(path)}"
    if stat.S_ISDIR(mode):
        return f"folder {stat.S_IMODE(mode):o}"
    if not stat.S_ISREG(mode):
        return f"special {mode:o}"
    permissions = f"{stat.S_IMODE(mode):o}"
    return f"{_CONTENT} {permissions} {memo.digest(path, about)[1]}" if reads else f"file {permissions}"


def observe_again(
    name: str,
    value: str,
    ground: Ground,
    memo: DigestMemo,
    *,
    own: Collection[str],
    removed: Collection[str],
    scope: TraceScope = EVERYTHING,
) -> str:
    """Return the observation of `name` now, of the same kind as the earlier `value`.

    The absolute paths in `removed` count as absent. Listings leave them out, and those in `own`, which the task writes or removes.
    """
    path = ground.path_of(name)
    if is_listing(name):
        return _listing(_names_in(path), path, {*own, *removed}, ground, scope)
    if path in removed:
        return ABSENT
    try:
        return describe(path, _state(path), memo, reads=has_content(value))
    except OSError:
        return ABSENT


def _names_in(folder: str) -> Iterable[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return ()
    return [
        f"{'l' if entry.is_symlink() else 'd' if entry.is_dir(follow_symlinks=False) else 'f'}{entry.name}"
        for entry in entries
    ]


def _listing(names: Iterable[str], folder: str, own: Collection[str], ground: Ground, scope: TraceScope) -> str:
    """Return the observation of a folder's names; those in `own` and those that never count are left out."""
    base = "" if folder == "/" else folder
    counted = names_without(names, base, frozenset(own))
    if scope.not_inputs.included:
        paths = {name: ground.name_of(f"{base}/{name[1:]}") for name in counted}
        left_out = scope.other_than_inputs(paths.values())
        counted = [name for name in counted if paths[name] not in left_out]
    return digest_of(*sorted(name for name in counted if ground.place_of(f"{base}/{name[1:]}") != IGNORED))
