"""A run of tasks on a cluster, as its supervisor sees it: which tasks run there, what an agent needs to run one, and what comes back.

Contents travel by digest (`supply`): the files of the workspace that git does not ignore, and the results of tasks. A result arrives as
that of the remote cache does, is checked as a whole, and then put in place.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile

from ..tasks.artifact import pack, unpack
from ..tasks.globs import parse
from ..tasks.outputs import capture, restore
from ..tasks.store import Entry, Store
from ..tasks.task_graph import title
from ..tasks.task_plan import needed_by
from ..tasks.variables import select
from ..vocabulary.errors import Failed
from .contents import ContentStore
from .frames import Job
from .manifests import MODES
from .session import ClusterSession, new_run_name
from .supply import Supply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from distributed import Security

    from ..tasks.digests import Identity
    from ..tasks.file_index import FileIndex
    from ..tasks.globs import Globs
    from ..tasks.store import Output
    from ..tasks.task_plan import TaskPlan

_NO_FILE: Identity = (0, 0, 0, 0, 0)


class ClusterRun:
    """One run of `chosen` on the cluster at `url`, to which it connects in another thread; `open` comes before any task.

    `environment` is what variables are taken from; `arguments` and `flags` are those of the request. With `wants_all`, the outputs of all tasks are put in place, otherwise those of the named ones.
    """

    def __init__(
        self,
        chosen: TaskPlan,
        url: str,
        *,
        environment: Mapping[str, str],
        arguments: tuple[str, ...],
        flags: tuple[str, ...],
        grace_s: float,
        setup: str,
        wants_all: bool,
        security: Security | None,
        patience_s: float,
        silence_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._chosen = chosen
        self._root = chosen.tasks.workspace.root
        self._environment = environment
        self._arguments = arguments
        self._flags = flags
        self._grace_s = grace_s
        self._setup = setup
        self._wants_all = wants_all
        self._scratch = tempfile.mkdtemp(prefix="rt-cluster-")
        self._results = Store(os.path.join(self._scratch, "results"))
        self._supply = Supply(self._root, ContentStore(os.path.join(self._scratch, "contents")))
        self._name = new_run_name()
        self._digests: dict[int, str] = {}  # of the results of tasks
        self._selected: dict[tuple[str, ...], dict[str, str]] = {}  # variables by the patterns that select them
        self._parsed: dict[int, Globs] = {}  # of the outputs of tasks
        self.session = ClusterSession(
            url,
            security=security,
            run=self._name,
            supply=self._supply,
            store_result=self._store_result,
            wake=lambda: self.wake(),
            tags=self._required_tags(),
            patience_s=patience_s,
            silence_s=silence_s,
            say=say,
        )
        self.wake: Callable[[], None] = lambda: None
        self.session.connect()

    def open(self, index: FileIndex) -> None:
        """Wait for an agent. `index` knows the files of the workspace, whose manifest is made meanwhile. Raises Failed."""
        self._manifest = self._supply.add_tree(_files(index))
        self.session.open()

    def close(self) -> None:
        """Withdraw what still runs, and disconnect."""
        self.session.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    # --- tasks

    def local_tasks(self) -> frozenset[int]:
        """Return the tasks that stay on this machine: `local` and interactive ones, services, and what depends on a service."""
        found = set()
        for key in range(len(self._chosen.members)):
            settings = self._chosen.node(key).settings
            if settings.persistent:
                found |= {key, *needed_by(self._chosen, key)}
            if settings.local or settings.values.get("interactive") is True:
                found.add(key)
        return frozenset(found)

    def _required_tags(self) -> dict[tuple[str, ...], str]:
        """Return the tags that tasks require together, each with the name of one of these tasks."""
        found: dict[tuple[str, ...], str] = {}
        for key in set(range(len(self._chosen.members))) - self.local_tasks():
            if tags := self._chosen.node(key).settings.tags:
                found.setdefault(tags, self._title(key))
        return found

    def submit(self, task: int, attempt: int) -> None:
        """Have an agent run a task, all of whose dependencies have ended."""
        settings = self._chosen.node(task).settings
        self.session.submit(self._job(task, attempt), weight=settings.weight, tags=settings.tags)

    def _job(self, task: int, attempt: int) -> Job:
        node = self._chosen.node(task)
        recipe = self._chosen.choice.recipes[task]
        globs = self._globs(task)
        patterns = self._chosen.variable_patterns(task)
        return Job(
            run=self._name,
            task=task,
            title=title(self._chosen.tasks, node),
            name=recipe.script,
            steps=recipe.steps,
            main=recipe.main,
            is_strict=self._chosen.is_strict,
            folder=self._chosen.tasks.folder(node.place),
            manifest=self._manifest,
            restores=tuple(self._restores(task)),
            arguments=self._arguments if node.is_selected else (),
            flags=self._flags,
            variables=self._variables(patterns),
            patterns=patterns,
            outputs=(globs.included, globs.excluded),
            key=self._key(task),
            grace_s=self._grace_s,
            setup=self._setup,
            attempt=attempt,
        )

    def _variables(self, patterns: tuple[str, ...]) -> dict[str, str]:
        """Return the variables that a task with `patterns` gets from here."""
        found = self._selected.get(patterns)
        if found is None:
            names = set(select(self._environment, patterns))
            if "FORCE_COLOR" in self._environment:
                names.add("FORCE_COLOR")
            found = self._selected[patterns] = {name: self._environment[name] for name in sorted(names)}
        return found

    def _key(self, task: int) -> str:
        return f"{self._name}-{task}"

    def _globs(self, task: int) -> Globs:
        globs = self._parsed.get(task)
        if globs is None:
            node = self._chosen.node(task)
            globs = parse(node.settings.outputs or (), self._chosen.tasks.folder(node.place))
            self._parsed[task] = globs
        return globs

    def _restores(self, task: int) -> list[tuple[str, str, tuple[tuple[str, ...], tuple[str, ...]]]]:
        """Return the results of everything that a task depends on, dependencies first."""
        found: set[int] = set()
        todo = [*self._chosen.choice.recipes[task].after]
        while todo:
            other = todo.pop()
            if other not in found:
                found.add(other)
                todo += self._chosen.choice.recipes[other].after
        restores = []
        for other in sorted(found):
            globs = self._globs(other)
            if globs.included:
                restores.append((self._digest(other), self._key(other), (globs.included, globs.excluded)))
        return restores

    def _digest(self, task: int) -> str:
        """Return the digest of the result of a task that has ended; what was not run on an agent is read from the workspace."""
        if task not in self._digests:
            found = capture(self._root, self._globs(task), since_ns=1 << 63, owned=_Everything(), store=self._results)
            entry = Entry((), tuple(output for output, _ in found.values()), 0.0)
            data = io.BytesIO()
            pack(self._key(task), entry, self._results, data)
            self._digests[task] = self._supply.add(data.getvalue())
        return self._digests[task]

    # --- results

    def _store_result(self, task: int, data: bytes) -> None:
        """Check a result that has arrived, and store it. Raises InvalidArtifact, OSError. Called by the session's thread."""
        unpack(self._key(task), io.BytesIO(data), self._globs(task), self._results)

    def receive(self, task: int, digest: str) -> tuple[Store, dict[str, tuple[Output, Identity]]]:
        """Put the outputs of a task in place, unless only others are requested. Return their store, and the outputs by path with
        their identities. Raises Failed.
        """
        self._digests[task] = digest
        entry = self._results.load(self._key(task))
        if entry is None:
            raise Failed("cluster-task", "the temporary folder has lost a result")
        if not self._wants_all and not self._chosen.node(task).is_selected:
            return self._results, {output.path: (output, _NO_FILE) for output in entry.outputs}
        self._supply.preserve(output.path for output in entry.outputs)
        try:
            return self._results, restore(self._root, entry.outputs, present={}, store=self._results)
        except OSError as error:
            reason = f"{error.strerror}: {error.filename}"
            raise Failed("cluster-task", f"cannot put the outputs of {self._title(task)} in place: {reason}") from error

    def forget(self, task: int) -> None:
        """Forget the result of a task, which runs again."""
        self._digests.pop(task, None)

    def _title(self, task: int) -> str:
        return title(self._chosen.tasks, self._chosen.node(task))


class _Everything:
    def __contains__(self, _: Any) -> bool:
        return True


def _files(index: FileIndex) -> list[tuple[str, str]]:
    """Return the files of the workspace that exist and that git does not ignore, with their modes and digests."""
    return [file for file in index.digests(index.below("")).items() if file[1].partition(" ")[0] in MODES]
