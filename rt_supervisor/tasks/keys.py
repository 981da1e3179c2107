"""Cache keys: digests of everything that the result of a task depends on.

The parts of a key are kept by name, so that `rt cache why` can say which of them changed. A dependency counts by what its dependents
can read of it (`contribution`): the content of its outputs, or its own key if it declares none, and the same of its own
dependencies. A dependency that rebuilds the same bytes therefore changes no other key.
"""

from __future__ import annotations

import os
import sys

from .. import __version__
from .._native import digest_of
from ..vocabulary.record import record
from .digests import MISSING
from .globs import parse
from .setting_table import AUTO
from .shared_files import SharedFiles
from .sorted_paths import is_any_below
from .variables import framework_patterns, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ..plan.model import Task
    from .file_index import FileIndex
    from .sorted_paths import SortedPaths
    from .sources import TaskWorkspace
    from .task_graph import TaskNode
    from .written import Written

_FORMAT = "1"  # changes with the meaning of keys
_ABSENT = f"0 {MISSING}"  # the mode and digest of a file that does not exist
_PLATFORM = f"{sys.platform} {os.uname().machine}"


@record
class Parts:
    """What a key is made of. `files` maps inputs to mode and digest, `variables` names to digests of their values.

    `dependencies` maps the titles of tasks to their contributions.
    """

    command: str
    files: dict[str, str]
    variables: dict[str, str]
    dependencies: dict[str, str]
    packages: str
    programs: str
    shared: str

    def key(self) -> str:
        """Return the key: the digest of all parts."""
        return digest_of(
            _FORMAT,
            self.command,
            self.files,
            self.variables,
            self.dependencies,
            self.packages,
            self.programs,
            self.shared,
        )

    def plain(self) -> dict[str, object]:
        """Return the parts as dicts and strings."""
        return {
            name: dict(value) if isinstance(value := getattr(self, name), dict) else value
            for name in Parts.__annotations__
        }


@record
class _Inputs:
    """The inputs of a task: paths with mode and digest, none of which was read before `read_ns`."""

    files: dict[str, str]
    read_ns: int


class KeyMaker:
    """Makes the parts of keys. `base` is the environment that tasks inherit; `packages` has the digest of the external
    dependencies of each package, by its folder."""

    def __init__(
        self, tasks: TaskWorkspace, index: FileIndex, *, base: Mapping[str, str], packages: Mapping[str, str]
    ) -> None:
        table = tasks.table
        assert table is not None  # a plan of tasks exists
        self._tasks = tasks
        self.index = index
        self._base = base
        self._packages = packages
        self._globals = table.globals
        self._folders: dict[int, str] = {}  # by place
        self._inputs: dict[tuple[tuple[str, ...] | None, str, int], _Inputs] = {}
        self._selected: dict[tuple[str, ...], dict[str, str]] = {}  # variables, by patterns
        self._programs = _Programs(tasks.workspace.root)
        self._shared = SharedFiles(tasks.workspace.root, index, table.globals.dependencies)
        self.shared = digest_of(
            __version__,
            _PLATFORM,
            table.globals.env_mode,
            self._shared.files,
        )

    def folder(self, node: TaskNode) -> str:
        """Return the folder of the node's package relative to the root, "" for the root."""
        folder = self._folders.get(node.place)
        if folder is None:
            folder = self._folders[node.place] = self._tasks.folder(node.place)
        return folder

    def parts(
        self,
        node: TaskNode,
        task: Task | None,
        dependencies: dict[str, str],
        written: Written,
        *,
        is_traced: bool = False,
    ) -> Parts:
        """Return the parts of the key of `node`, whose script is `task` (None without one). What `written` matches is not among its
        inputs.

        Of a node whose inputs are traced (`is_traced`), this is what is known before its trace: dependencies, packages and all files that
        are not declared are in that.
        """
        settings = node.settings
        inlined = framework_patterns(self._tasks.packages[node.place].dependencies)
        return Parts(
            command=self._command(node, task),
            files=self.declared(node, written) if is_traced else self.files(node, written),
            variables=self._variables((*self._globals.env, *settings.env, *inlined)),
            dependencies={} if is_traced else dependencies,
            packages="" if is_traced else self.packages_of(node),
            programs=self._programs_of(task),
            shared=self.shared,
        )

    def _variables(self, patterns: tuple[str, ...]) -> dict[str, str]:
        """Return the digests of the values of the variables that `patterns` include."""
        known = self._selected.get(patterns)
        if known is None:
            names = select(self._base, patterns) if patterns else ()
            listed = [name for name in patterns if not any(mark in name for mark in "*!\\")]
            known = {name: _value(self._base.get(name)) for name in sorted({*names, *listed})}
            self._selected[patterns] = known
        return known

    def _command(self, node: TaskNode, task: Task | None) -> str:
        settings = node.settings
        words = [settings.task, ",".join(settings.outputs or (AUTO,) * settings.traces_outputs)]
        if settings.traces_inputs:
            words += settings.inputs or ()  # its negations say which files are not in the trace
        for step in task.steps if task else ():
            words += [step.name, step.command, *step.argv]
        return "\0".join(words)

    def packages_of(self, node: TaskNode) -> str:
        """Return the digest of the external dependencies of the node's package."""
        return self._packages.get(self.folder(node), "")

    def files(self, node: TaskNode, written: Written) -> dict[str, str]:
        """Return the inputs of `node` with mode and digest, as they were at the first call."""
        return self._inputs_of(node, written).files

    def _inputs_of(self, node: TaskNode, written: Written) -> _Inputs:
        folder = self.folder(node)
        at = (node.settings.inputs, folder, written.bits)
        known = self._inputs.get(at)
        if known is None:
            own = f"{folder}/package.json" if folder else "package.json"
            files = self.index.digests_of_inputs(node.settings.inputs, folder, written, also=own)
            known = self._inputs[at] = _Inputs(files, self.index.read_ns)
        return known

    def changed_input(
        self, node: TaskNode, written: Written, *, finds_added: bool, own: Collection[str] = ()
    ) -> tuple[str, str]:
        """Return an input of `node`, or one of `globalDependencies`, that differs from what the key says, and what happened to it:
        "changed", "removed", or "added" if `finds_added`. Both are "" without one. Files in `own` are not inputs.
        """
        inputs = self._inputs_of(node, written)
        for path, digest in (*inputs.files.items(), *self._shared.files.items()):
            if path not in own and self.index.may_have_changed(path, inputs.read_ns):
                now = self.index.fresh_digest(path)
                if now != digest:
                    return path, "removed" if now == _ABSENT else "added" if digest == _ABSENT else "changed"
        known = inputs.files.keys() | own if own else inputs.files
        if finds_added and (path := self.index.added(node.settings.inputs, self.folder(node), written, known)):
            return path, "added"
        if finds_added and (path := self._shared.added(own)):
            return path, "added"
        return "", ""

    def inputs_since(self, node: TaskNode, written: Written, since_ns: int) -> set[str]:
        """Return the inputs of `node`, and `globalDependencies`, that were written at `since_ns` or later."""
        paths = (*self._inputs_of(node, written).files, *self._shared.files)
        return {path for path in paths if self.index.is_newer(path, since_ns)}

    def declared(self, node: TaskNode, written: Written) -> dict[str, str]:
        """Return the inputs that the settings of a node declare besides those that are traced."""
        if node.settings.inputs is not None:
            return self.files(node, written)
        folder = self.folder(node)
        own = f"{folder}/package.json" if folder else "package.json"
        return {own: self.index.digest(own)}

    def adopt(self, other: KeyMaker, node: TaskNode, written: Written) -> None:
        """Use the inputs of `node` that `other` has found."""
        at = (node.settings.inputs, self.folder(node), written.bits)
        if at in other._inputs:
            self._inputs[at] = other._inputs[at]

    def may_read(self, node: TaskNode, paths: SortedPaths) -> bool:
        """Return whether one of `paths` lies where the inputs of `node` are."""
        folder, inputs = self.folder(node), node.settings.inputs
        return any(
            is_any_below(paths, start) for start in (folder, *(parse(inputs, folder).starts() if inputs else ()))
        )

    def shared_places(self) -> list[str]:
        """Return what `SharedFiles.places` does."""
        return self._shared.places()

    def ignored_inputs(self, node: TaskNode) -> list[str]:
        """Return the ignored files and folders that the patterns of `node` reach."""
        patterns = node.settings.inputs
        return self.index.ignored_at(parse(patterns, self.folder(node)).starts()) if patterns else []

    def _programs_of(self, task: Task | None) -> str:
        """Return what identifies Node and the programs that the steps of `task` start with."""
        found: list[str] = []
        for step in task.steps if task else ():
            names = ("node", step.direct[0] if step.direct else step.command.split(" ", 1)[0])
            found += self._programs.identities(names, step.environment.get("PATH", ""))
        return " ".join(dict.fromkeys(found))


def contribution(title: str, own: str, dependencies: dict[str, str]) -> str:
    """Return what a task contributes to the keys of its dependents; `own` stands for its outputs or its key."""
    return digest_of(title, own, dependencies)


def _value(value: str | None) -> str:
    """Return what stands for the value of a variable, which may be a secret."""
    return "unset" if value is None else digest_of(value)


class _Programs:
    """The identities of programs: of a file outside the workspace `root`, its size and time of change.

    What the rest of a PATH leads to is found once: packages differ only in the first folder, which most of them do not have.
    """

    def __init__(self, root: str) -> None:
        self._root = f"{root}/"
        self._present: dict[str, bool] = {}  # whether a first folder exists
        self._known: dict[str, str] = {}  # by path
        self._usual: dict[tuple[tuple[str, ...], str], list[str]] = {}  # where the first folder does not exist
        self._found: dict[tuple[str, str], str] = {}  # by name, and PATH without its first folder

    def identities(self, names: tuple[str, ...], path: str) -> list[str]:
        """Return what identifies the programs that a shell runs for the words `names` with this PATH."""
        folder, _, rest = path.partition(os.pathsep)
        is_present = bool(folder) and self._is_present(folder)
        if not is_present and (usual := self._usual.get((names, rest))):
            return usual
        found = [
            self._file(name)
            if name.startswith("/")
            else self._file(f"{folder}/{name}")
            if is_present and _is_searched(name) and _exists(f"{folder}/{name}")
            else self._identity(name, rest)
            for name in names
        ]
        if not is_present:
            self._usual[names, rest] = found
        return found

    def _identity(self, name: str, rest: str) -> str:
        found = self._found.get((name, rest))
        if found is None:
            places = (f"{folder}/{name}" for folder in rest.split(os.pathsep) if folder)
            place = next(filter(_exists, places), None) if _is_searched(name) else None
            # Without a place, it is a command of the shell, or not there.
            found = self._found[name, rest] = self._file(place) if place else name
        return found

    def _is_present(self, folder: str) -> bool:
        known = self._present.get(folder)
        if known is None:
            known = self._present[folder] = _exists(folder)
        return known

    def _file(self, path: str) -> str:
        known = self._known.get(path)
        if known is None:
            try:
                about = os.stat(path)
            except (OSError, ValueError):
                return path
            # The version of a program in the workspace is in the lockfile, and its time changes with each installation.
            changed = 0 if path.startswith(self._root) else about.st_mtime_ns
            known = self._known[path] = f"{os.path.basename(path)} {about.st_size} {changed}"
        return known


def _is_searched(name: str) -> bool:
    """Return whether a shell searches PATH for the first word of a command."""
    return "/" not in name and name not in ("", ".", "..")


def _exists(path: str) -> bool:
    try:
        return os.access(path, os.F_OK)  # an exception would take longer
    except ValueError:  # a null byte
        return False


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[tuple[str, str, str, str]]:
    """Return what differs between the plain parts of two keys: kind, name, value before, value after ("" for absent)."""
    found: list[tuple[str, str, str, str]] = []
    for kind in Parts.__annotations__:
        old, new = before.get(kind), after.get(kind)
        if isinstance(old, dict) and isinstance(new, dict):
            for name in sorted(old.keys() | new.keys()):
                if old.get(name) != new.get(name):
                    found.append((kind, name, str(old.get(name, "")), str(new.get(name, ""))))
        elif old != new:
            found.append((kind, "", str(old), str(new)))
    return found
