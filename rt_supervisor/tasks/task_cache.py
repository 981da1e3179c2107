"""The cache of one run: decides for each task, when its turn comes, whether its result is there, and stores new results.

```text
decide ──same key, outputs untouched──> Hit
       ──same key in the store──restore──> Hit
       ──else──> Miss ──begin──the task runs──> finish: outputs are stored, dependents see them
```

A problem with the store never fails a run: the task runs, and `problems` says once what was wrong.
"""

from __future__ import annotations

import os

from ..vocabulary.identity import file_time_ns
from ..vocabulary.record import record, replace
from .keys import changes
from .outputs import Damaged, are_present, capture, draft_folders, find, remove, remove_drafts, restore
from .small_files import EntryFiles
from .state import LONGEST_LOG, TaskState
from .store import Entry
from .task_outputs import adopt, contents_digest, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ..plan.model import RunPlan
    from .digests import Identity
    from .file_index import FileIndex
    from .keys import Parts
    from .node_keys import NodeKeys, Refreshed
    from .remote_traffic import RemoteTraffic
    from .small_files import NewFiles
    from .state import State
    from .store import Output, Store
    from .task_outputs import Received
    from .task_plan import TaskPlan

    Log = tuple[tuple[int, int, bytes], ...]

LARGEST_LOG = 64 << 20


@record
class Hit:
    """The result of a task is there. `log` is what it printed, `seconds` what running it took. One that `is_remote` came from the remote
    cache.
    """

    key: str
    log: Log
    seconds: float
    is_remote: bool = False


@record
class Miss:
    """A task has to run. `reason` says why; `is_cacheable` whether its result may be stored."""

    key: str
    reason: str
    is_cacheable: bool


class TaskCache:
    """The cache of a run of `chosen` as `plan`. Tasks are numbered as in `plan`."""

    def __init__(
        self,
        chosen: TaskPlan,
        plan: RunPlan,
        *,
        keys: NodeKeys,
        state: State,
        store: Store | None,
        exchange: Store | None = None,
        remote: RemoteTraffic | None = None,
        reads: bool,
        writes: bool,
        is_watched: bool = False,
    ) -> None:
        """`reads` and `writes` say what the local `store` is used for. Results are exchanged with `remote` through `exchange`, which is
        `store` if the run may write there.
        """
        self._chosen = chosen
        self._plan = plan
        self._keys = keys
        self._state = state
        self._store = store
        self._exchange = exchange
        self.remote = remote
        self._reads = reads
        self._writes = writes
        self._root = chosen.tasks.workspace.root
        self._titles = keys.titles
        self._parts: dict[int, Parts] = {}
        self._is_watched = is_watched
        self._rewritten: dict[int, set[str]] = {}  # inputs that were written while the last run of a task went on
        self._started_ns: dict[int, int] = {}
        self._misses: dict[int, Miss] = {}
        self._is_changed = False
        self.problems: list[str] = []
        self.decisions: dict[int, Hit | Miss] = {}

    @property
    def index(self) -> FileIndex:
        """The files of the workspace."""
        return self._keys.index

    # --- decisions

    def decide(self, key: int, *, changes_disk: bool = True, is_forced: bool = False) -> Hit | Miss:
        """Decide about task `key`, all of whose dependencies have ended, and restore its outputs, unless not `changes_disk`. One that
        `is_forced` runs whatever the cache has.

        `decisions` has the last decision about each task.
        """
        if changes_disk and self._state.draft_folders:
            self._remove_drafts()
        decision = self.decisions[key] = self._decide(key, changes_disk=changes_disk, is_forced=is_forced)
        return decision

    def _decide(self, key: int, *, changes_disk: bool, is_forced: bool) -> Hit | Miss:
        number = self._chosen.members[key]
        name = self._titles[number]
        own = self._parts[key] = self._parts_of(key)
        digest = own.key()
        if obstacle := self._obstacle(number):
            return self._miss(key, Miss(digest, f"not cached: {obstacle}", False))
        known = self._state.tasks.get(name)
        is_trusted = name not in self._state.interrupted
        if is_forced or (
            not self._reads and (self.remote is None or not (self.remote.reads or self.remote.has_fetched(digest)))
        ):
            return self._miss(key, Miss(digest, "forced", True))
        hit = self._find(name, digest, known if is_trusted else None, changes_disk)
        if hit is not None:
            self._keys.contribute(
                number, self._state.tasks[name].contents if changes_disk else self._dry_contents(name, digest)
            )
            if self.remote is not None and self.remote.record_hit(digest, hit.seconds):
                hit = replace(hit, is_remote=True)
            return hit
        if not changes_disk and self.remote is not None and self.remote.has(digest):
            return self._miss(key, Miss(digest, "the remote cache has the result", True))
        return self._miss(key, Miss(digest, self._reason(name, known, own), True))

    def _remove_drafts(self) -> None:
        """Remove what a killed run has left that was restoring outputs."""
        folders, self._state.draft_folders = self._state.draft_folders, frozenset()
        try:
            remove_drafts(self._root, folders)
        except OSError as error:
            self._note(f"cannot remove what a killed run has left: {error.strerror}: {error.filename}")

    def _parts_of(self, key: int) -> Parts:
        return self._keys.parts(self._chosen.members[key])

    def prefetch(self, key: int) -> str:
        """Begin to fetch the result of task `key` from the remote cache, if that may have it and the local one does not. Return the key
        of the result, "" if nothing has begun. `remote.take` returns the task when `decide` can be called.
        """
        if self.remote is None or not self.remote.reads or self._exchange is None:
            return ""
        number = self._chosen.members[key]
        if self._obstacle(number):
            return ""
        name, digest = self._titles[number], self._keys.parts(number).key()
        known = self._state.tasks.get(name)
        if self._reads and known is not None and known.key == digest and name not in self._state.interrupted:
            return ""
        if self._reads and self._store is not None and self._store.load(digest) is not None:
            return ""
        self.remote.fetch(key, digest, name, self._keys.outputs(number))
        return digest

    def _sources(self, digest: str) -> list[Store]:
        """Return the stores that a result may be taken from."""
        is_fetched = self.remote is not None and self.remote.has_fetched(digest)
        found = [self._store if self._reads else None, self._exchange if is_fetched else None]
        return [store for store in dict.fromkeys(found) if store is not None]

    def _obstacle(self, number: int) -> str:
        """Say why the result of a task cannot be cached, "" if it can."""
        if reason := self._lasting_obstacle(number):
            return reason
        if self._chosen.graph.nodes[number].is_partial:
            return "--only leaves out tasks that it depends on"
        return self._failed_dependency(number)

    def _failed_dependency(self, number: int) -> str:
        has_failed = any(map(self._keys.has_failed, self._chosen.graph.edges[number]))
        return "a task that it depends on has failed or was left out" if has_failed else ""

    def _lasting_obstacle(self, number: int) -> str:
        """Say why no result of a task can be cached, because of its settings."""
        settings = self._chosen.graph.nodes[number].settings
        if settings.persistent:
            return '"persistent" is true'
        if not settings.cache:
            return '"cache" is false'
        if settings.outputs is None and not settings.is_turbo:
            return "its outputs are not traced in this run"
        return ""

    def _find(self, name: str, digest: str, known: TaskState | None, changes_disk: bool) -> Hit | None:
        is_there = known is not None and known.key == digest and known.log is not None
        if self._reads and is_there and known is not None and are_present(self._root, known.outputs):
            return Hit(digest, known.log or (), known.seconds)
        for store in self._sources(digest):
            entry = store.load(digest)
            if entry is None:
                continue
            if not changes_disk or self._restore(name, digest, entry, known, store):
                return Hit(digest, entry.log, entry.seconds)
        return None

    def _restore(self, name: str, digest: str, entry: Entry, known: TaskState | None, store: Store) -> bool:
        """Put the outputs of a result in place. Return whether that was possible."""
        present = known.outputs if known is not None else {}
        owned = self._owned(name)
        try:
            self._state.begin(name)
            self._state.begin_drafts(draft_folders(entry.outputs))
            outputs = restore(self._root, entry.outputs, present=present, store=EntryFiles(entry, store))
            remove(self._root, owned - outputs.keys())
        except Damaged as damaged:
            store.remove(digest)
            self._note(f"{name}: the stored result lacks {damaged} and is not used")
            return False
        except OSError as error:
            self._note(f"{name}: cannot restore its outputs: {error.strerror}: {error.filename}")
            return False
        self._remember(name, digest, entry, outputs)
        return True

    def _reason(self, name: str, known: TaskState | None, parts: Parts) -> str:
        """Say in a few words why there is no result."""
        if known is not None and known.has_failed:
            return "failed or was interrupted the last time"
        before = None if known is None else self._details(name)
        if before is None:
            return "not run before"
        found = changes(before, parts.plain())
        if not found:
            return "the result is not in the store any more"
        kind, what, _, _ = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"changed: {what or kind}{more}"

    def _miss(self, key: int, miss: Miss) -> Miss:
        self._misses[key] = miss
        return miss

    # --- runs

    @property
    def _target(self) -> Store | None:
        """The store that results are put into."""
        return self._store if self._writes else self._exchange

    def begin(self, key: int) -> None:
        """Prepare the start of task `key`: what it wrote earlier is removed, unless `clean` is false."""
        node = self._chosen.node(key)
        name = self._titles[self._chosen.members[key]]
        miss = self._misses[key]
        self._started_ns[key] = file_time_ns()
        if self._lasting_obstacle(self._chosen.members[key]):
            return
        try:
            self._state.begin(name)
            if miss.is_cacheable and not self.finds_inputs_at_end(key):
                self._state.put_details(name, self._parts[key].plain())
            if node.settings.clean:
                remove(self._root, self._owned(name))
        except OSError as error:
            self._note(f"{name}: cannot remove earlier outputs: {error.strerror}: {error.filename}")

    def leave_out(self, key: int) -> None:
        """Trust nothing that depends on task `key`: it does not run, and its outputs are what an earlier run left."""
        self._keys.fail(self._chosen.members[key])

    def finish(
        self,
        key: int,
        log: Sequence[tuple[int, int, bytes]],
        *,
        seconds: float,
        has_succeeded: bool,
        received: Received | None = None,
    ) -> str:
        """Store the result of a task that has ended, so that its dependents have a key. What it wrote is found on the disk, unless it was
        `received`.

        Return an input that is not as the key says, which is why the result was not stored; "" otherwise.
        """
        number = self._chosen.members[key]
        name = self._titles[number]
        miss = self._misses[key]
        known = self._state.tasks.get(name)
        self._is_changed = True
        if not has_succeeded:
            self._keys.fail(number)
            if not self._lasting_obstacle(number):
                self._own_leftovers(name, number, known, self._started_ns[key], has_failed=True)
            return self._changed_input(key, finds_added=False)[0]
        changed, how = self._changed_input(key, finds_added=miss.is_cacheable)
        if changed:
            if miss.is_cacheable:
                self._note(f"{name}: its result is not stored: {changed} was {how} during the run")
            self._own_leftovers(name, number, known, self._started_ns[key], has_failed=False)
            self._keys.fail(number)  # a result of its dependents would be of no known inputs, either
            return changed
        try:
            store = self._target if miss.is_cacheable else None
            outputs = self._captured(key, known, store) if received is None else adopt(received, store)
        except OSError as error:
            self._note(f"{name}: its result is not stored: {error.strerror}: {error.filename}")
            self._keys.contribute(number, miss.key)
            return ""
        entry = Entry(tuple(log), tuple(output for output, _ in outputs.values()), seconds)
        if miss.is_cacheable:
            self._put(name, miss.key, entry, self.remote)
        # A result that may not be stored is never a hit, either: what the task depends on has failed or was left out.
        self._remember(name, miss.key, entry, outputs, is_result=miss.is_cacheable)
        self._keys.contribute(number, self._state.tasks[name].contents)
        return ""

    def _changed_input(self, key: int, *, finds_added: bool) -> tuple[str, str]:
        """Return an input of a task that ended, which is not as its key says, and what happened to it. In a watched run, also one that has its
        content again, which the task may have read without; if its next run finds the same, the task writes that file itself.
        """
        number = self._chosen.members[key]
        changed, how = self._keys.changed_input(number, finds_added=finds_added)
        if changed or not self._is_watched:
            return changed, how
        before, now = self._rewritten.get(key, set()), self._keys.inputs_since(number, self._started_ns[key])
        self._rewritten[key], changed = now, min(now - before, default="")
        return changed, "written again" * bool(changed)

    def _captured(
        self, key: int, known: TaskState | None, store: Store | NewFiles | None
    ) -> dict[str, tuple[Output, Identity]]:
        """Return the declared outputs that task `key` has written, and put their files into `store`. Raises OSError."""
        globs = self._keys.outputs(self._chosen.members[key])
        if not globs.included:
            return {}
        is_cleaned = self._chosen.node(key).settings.clean
        owned = known.outputs if known is not None and not is_cleaned else ()
        return capture(self._root, globs, since_ns=self._started_ns[key], owned=owned, store=store)

    def _put(self, name: str, digest: str, entry: Entry, remote: RemoteTraffic | None) -> None:
        size = sum(len(block) for _, _, block in entry.log)
        if size > LARGEST_LOG or self._target is None:
            return
        try:
            self._target.put(digest, entry)
            if remote is not None:
                remote.upload(digest, name, entry)
        except OSError as error:
            self._note(f"{name}: its result is not stored: {error.strerror}: {error.filename}")

    def _own_leftovers(
        self, name: str, number: int, known: TaskState | None, since_ns: int, *, has_failed: bool
    ) -> None:
        """Remember what a task has written that has no result, so that it is removed before the next run."""
        before = known.outputs if known is not None else {}
        try:
            written = capture(self._root, self._keys.outputs(number), since_ns=since_ns, owned=before, store=None)
        except OSError as error:
            self._note(f"{name}: cannot read what it left: {error.strerror}: {error.filename}")
            written = {}
        seconds = known.seconds if known is not None else 0.0
        self._state.tasks[name] = TaskState(
            "", {**before, **settled(written)}, "", None, seconds, has_failed=has_failed
        )

    def save(self) -> None:
        """Write what is remembered of the workspace, if that has changed."""
        try:
            if self._is_changed:
                self._state.save()
                self._prune()
                self._is_changed = False
        except OSError as error:
            self._note(f"cannot remember what ran: {error.strerror}: {error.filename}")

    def close(self) -> None:
        try:
            self.save()
        finally:
            self._state.close()
            if self._exchange is not None and self._exchange is not self._store:
                self._exchange.remove_everything()

    def observed(self, number: int) -> frozenset[str] | None:
        """Return the names of what the task of a node has read or looked up in a run that would read the same now
        (`observations.Ground`); None if that is not known.
        """
        return None

    # --- watched runs

    def under_tracer(self, plan: RunPlan) -> RunPlan:
        """Return `plan` with the processes of traced tasks under the tracer. Raises OSError."""
        return plan

    def digest(self, key: int) -> str:
        """Return the key of a task, all of whose dependencies have ended."""
        return self._parts_of(key).key()

    def finds_inputs_at_end(self, key: int) -> bool:
        """Return whether it is only known what a task has read when it has ended; `finish` finds what changed meanwhile."""
        return False

    def forget(self, keys: Iterable[int]) -> None:
        """Forget what tasks have contributed to the keys of those that depend on them."""
        self._keys.forget([self._chosen.members[key] for key in keys])

    def may_have_written(self, key: int, path: str) -> bool:
        """Return whether a task that has ended may have changed the input `path` itself."""
        return True

    def digest_at_end(self, key: int, digest: str) -> str:
        """Return what `digest` would have returned for the files that a task has read, which had the key `digest` when it was decided
        about; "" if that is not known.
        """
        return digest

    def ignored_inputs(self) -> list[str]:
        """Return the absolute paths of ignored files and folders that are inputs or contain some."""
        return self._keys.ignored_inputs()

    def absolute(self, path: str) -> str:
        """Return the absolute path of an input."""
        return os.path.join(self._root, path)

    def refresh(self, changed: Collection[str], own: Collection[str], plan: RunPlan) -> Refreshed:
        """Read the files of the workspace again, of which `changed` have changed; `plan` runs the same tasks (`NodeKeys.refresh`)."""
        self._plan = self._keys.plan = plan
        return self._keys.refresh(changed, own)

    def _prune(self) -> None:
        table = self._chosen.tasks.table
        if self._store is not None and self._writes and table is not None:
            limits = table.globals
            self._store.prune_daily(max_bytes=limits.max_bytes, max_age_s=limits.max_age_ms / 1000)

    def parts(self, key: int) -> tuple[str, Parts, dict[str, object] | None]:
        """Return the title of a task that was decided about, the parts of its key, and those of its last run."""
        name = self._titles[self._chosen.members[key]]
        return name, self._parts[key], self._details(name)

    def _details(self, name: str) -> dict[str, object] | None:
        """Return the parts of the key that the last run of a task had, None if they are not known."""
        base = self._state.bases.get(name)
        if base is None or self._store is None:
            return self._state.details(name)
        from .known_traces import last_parts

        return last_parts(self._store, base)

    def _dry_contents(self, name: str, digest: str) -> str:
        known = self._state.tasks.get(name)
        if known is not None and known.key == digest:
            return known.contents
        entry = self._store.load(digest) if self._store is not None else None
        return contents_digest(digest, entry.outputs if entry is not None else ())

    # --- what tasks own

    def _owned(self, name: str) -> set[str]:
        known = self._state.tasks.get(name)
        owned = set(known.outputs) if known is not None else set()
        if name in self._state.interrupted:  # it was killed while it wrote: what it left is not known by name
            number = self._titles.index(name)
            owned.update(find(self._root, self._keys.outputs(number)))
        return owned

    def _remember(
        self,
        name: str,
        digest: str,
        entry: Entry,
        outputs: Mapping[str, tuple[Output, Identity]],
        *,
        is_result: bool = True,
    ) -> None:
        size = sum(len(block) for _, _, block in entry.log)
        log = entry.log if size <= LONGEST_LOG else None
        self._state.tasks[name] = TaskState(
            digest if is_result else "", settled(outputs), contents_digest(digest, entry.outputs), log, entry.seconds
        )
        self._is_changed = True

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
