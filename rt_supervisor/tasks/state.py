"""What rt remembers of the tasks of one workspace: the key of the last success, what it wrote and printed, how long it took.

The state says which outputs are still as rt left them, so that an unchanged task needs neither the store nor a look into its files. A
task that is being run or restored is noted in a journal first: if rt is killed meanwhile, the next run trusts nothing of it.
"""

from __future__ import annotations

import marshal
import os

from .._native import cache_put, checksum
from ..start.cache_folder import cache_folder
from ..vocabulary.record import record
from .store import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .digests import Identity

FORMAT = 5
LONGEST_LOG = 4096  # of a task; longer ones are read from the store
_CHECKSUM_BYTES = 8
_DRAFTS = "\0"  # before a folder in the journal


@record
class TaskState:
    """The last success of a task. `outputs` are what it owns, by path; `log` is None if only the store has it.

    `has_failed` means that a later run failed or was interrupted.
    """

    key: str
    outputs: dict[str, tuple[Output, Identity]]
    contents: str
    log: tuple[tuple[int, int, bytes], ...] | None
    seconds: float
    has_failed: bool = False


class State:
    """The state of the workspace at `root`, in files below `folder`; in memory only if that is None. Unreadable state counts as none."""

    def __init__(self, folder: str | None, root: str) -> None:
        name = f"{checksum(os.fsencode(root)):016x}"
        self._path = None if folder is None else os.path.join(folder, "workspaces", name)
        self._root = root
        self._journal: int | None = None
        self.tasks: dict[str, TaskState] = {}
        self.digests: dict[str, tuple[Identity, str]] = {}
        self.lockfiles: dict[str, dict[str, str]] = {}
        self.bases: dict[str, str] = {}
        """By title, the base key of the last run of each task whose inputs were traced then (`known_traces`)."""
        self.interrupted: frozenset[str] = frozenset()
        """The tasks that ran when rt was killed."""
        self.draft_folders: frozenset[str] = frozenset()
        """The folders, relative to the root, in which drafts of outputs may be left."""
        self._load()

    @staticmethod
    def of(root: str) -> State | None:
        """Return the state of a workspace, None if rt's cache folder is not safe to use."""
        folder = cache_folder("tasks")
        return None if folder is None else State(folder, root)

    def begin(self, title: str) -> None:
        """Note that a task is about to write. Raises OSError."""
        self._note(title)

    def begin_drafts(self, folders: Iterable[str]) -> None:
        """Note that drafts of outputs are about to be written in `folders`, relative to the root. Raises OSError."""
        for folder in folders:
            self._note(_DRAFTS + folder)

    def _note(self, line: str) -> None:
        if self._path is None:
            return
        if self._journal is None:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._journal = os.open(f"{self._path}.running", flags, 0o600)
        os.write(self._journal, os.fsencode(line) + b"\n")

    def save(self) -> None:
        """Write the state, and forget which tasks ran. Raises OSError."""
        if self._path is None:
            return
        tasks = [
            (
                title,
                each.key,
                [
                    (path, (one.kind, one.mode, one.content, one.size), about)
                    for path, (one, about) in each.outputs.items()
                ],
                each.contents,
                None if each.log is None else list(each.log),
                each.seconds,
                each.has_failed,
            )
            for title, each in self.tasks.items()
        ]
        memos = [list(memo.items()) for memo in (self.digests, self.lockfiles, self.bases)]
        payload = marshal.dumps((FORMAT, self._root, tasks, *memos))
        cache_put(self._path, checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload, is_durable=False)
        if self._journal is not None:
            os.ftruncate(self._journal, 0)

    def close(self) -> None:
        if self._journal is not None:
            os.close(self._journal)
            self._journal = None

    def details(self, title: str) -> dict[str, object] | None:
        """Return the parts of the key that the last run of a task had, None if they are not known."""
        try:
            with open(self._details_path(title), "rb") as file:
                known_title, parts = marshal.loads(file.read())
            return parts if known_title == title and isinstance(parts, dict) else None
        except (OSError, ValueError, EOFError, TypeError):
            return None

    def put_details(self, title: str, parts: dict[str, object]) -> None:
        """Remember the parts of the key of a task. Raises OSError."""
        self.bases.pop(title, None)
        if self._path is not None:
            cache_put(self._details_path(title), marshal.dumps((title, parts)), is_durable=False)

    def _details_path(self, title: str) -> str:
        return os.path.join(f"{self._path}.parts", f"{checksum(os.fsencode(title)):016x}")

    def _load(self) -> None:
        if self._path is None:
            return
        try:
            with open(f"{self._path}.running", "rb") as file:
                lines = list(map(os.fsdecode, file.read().split(b"\n")[:-1]))
            self.interrupted = frozenset(line for line in lines if not line.startswith(_DRAFTS))
            self.draft_folders = frozenset(line.removeprefix(_DRAFTS) for line in lines if line.startswith(_DRAFTS))
        except OSError:
            pass
        try:
            with open(self._path, "rb") as file:
                data = file.read()
            payload = data[_CHECKSUM_BYTES:]
            if checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") != data[:_CHECKSUM_BYTES]:
                return
            version, root, tasks, digests, lockfiles, bases = marshal.loads(payload)
            if (version, root) != (FORMAT, self._root):
                return
            self.digests, self.lockfiles, self.bases = dict(digests), dict(lockfiles), dict(bases)
            for title, key, outputs, contents, log, seconds, has_failed in tasks:
                known = {path: (Output(path, *fields), about) for path, fields, about in outputs}
                blocks = None if log is None else tuple(log)
                self.tasks[title] = TaskState(key, known, contents, blocks, seconds, has_failed)
        except (OSError, ValueError, EOFError, TypeError):
            self.tasks, self.digests, self.lockfiles, self.bases = {}, {}, {}, {}
