"""The files that a run follows, single ones and whole folders without ignored files, and which of them have changed.

Events come from the kernel (`notifier`). If there are none, because a limit of inotify is reached, the file system is
remote, or the user requests polling, files are compared regularly (`identities`). Events only say where to look, and
identities decide, so a rescan after lost events finds the same changes. Needs one poll and no thread: large folders are read in
slices, between which the caller handles signals and output.
"""

from __future__ import annotations

import os
import time
from collections import deque

from ..vocabulary.errors import unreachable
from ..vocabulary.identity import file_time_ns
from .identities import FileStates
from .notifier import LimitReached, Notifier
from .rules import IGNORE_FILE, IgnoreRules
from .settling import Settling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from ..vocabulary.identity import Identity

    State: TypeAlias = Literal["notified", "polling", "closed"]

POLL_S = 0.5
_REST = 10  # how many times as long as a look at all files takes, polling rests after it
_SLICE_S = 0.1  # how long one call may read folders
_MOST_AT_ONCE = 20_000  # files of one folder between two looks at the clock
AWAIT_S = 0.25  # how often to look for a missing folder, in addition to its parent's events
_REMOTE = ("nfs", "cifs", "smb", "fuse", "9p", "vboxsf", "prl_fs", "virtiofs", "afs", "ceph", "glusterfs", "lustre")


class Watcher:
    """Follows files and folders; `take` returns what has changed. `fileno` is None while it polls.

    `new` are the files of the last batch that did not exist before; `brief` are those that were made and removed again, as by editors that
    save by rename. They are not in the batch.

    notified --events are not available--> polling
       `--close (polling too)--> closed
    """

    def __init__(
        self,
        rules: IgnoreRules,
        *,
        polls: bool = False,
        warn: Callable[[str], None],
        quiet_s: float = 0.03,
        slice_s: float = _SLICE_S,
    ) -> None:
        """`warn` is called once if events are not available and files are polled instead."""
        self._rules = rules
        self._slice_s = slice_s
        self._warn = warn
        self._settling = Settling(quiet_s=quiet_s)
        self._files = FileStates()
        self._roots: set[str] = set()
        self._walks: deque[tuple[Iterator[list[str]], int | None]] = deque()  # folders to read, and their `since_ns`
        self._read_s = 0.0  # how long `follow_tree` has read
        self._looking: Iterator[None] | None = None  # a look at all files that has begun, while polling
        self._looked_s = 0.0  # how long it has taken
        self._unfinished: set[str] = set()  # being written at their last event
        self._absent: set[str] = set()  # missing folders of followed files
        self._state: State
        self._notifier: Notifier  # while notified
        self._look_at: float  # while polling
        self._made: set[str] = set()
        self._mounts: dict[str, str] | None = None
        self.new: frozenset[str] = frozenset()
        self.brief: frozenset[str] = frozenset()
        if polls:
            self._begin_to_poll()
        else:
            try:
                self._state, self._notifier = "notified", Notifier()
            except LimitReached as limit:
                self._begin_to_poll()
                warn(_no_more(limit))

    def fileno(self) -> int | None:
        return self._notifier.fileno() if self._state == "notified" else None

    @property
    def timeout_s(self) -> float | None:
        """Return how long to wait for `fileno` before calling `take` anyway; None means without limit."""
        if self._walks or self._looking is not None:
            return 0.0
        now = time.monotonic()
        moments = [] if self._settling.due_at is None else [self._settling.due_at]
        if self._state == "polling":
            moments.append(self._look_at)
        if self._absent:
            moments.append(now + AWAIT_S)
        return max(0.0, min(moments) - now) if moments else None

    # --- what is followed

    def follow_files(self, files: Mapping[str, Identity], *, since_ns: int | None = None) -> None:
        """Follow files, whether or not they exist, with the identities they had. `take` reports what has changed since then, or was modified
        at `since_ns` or later.
        """
        fresh = [path for path in files if path not in self._files and not self._rules.is_left_out_of_program(path)]
        for path in fresh:
            self._watch_folder(os.path.dirname(path))  # first, so that no change falls in between
            self._files.add(path, files[path], is_known=True)
        self._settling.add(self._files.take_changed(fresh), time.monotonic())
        self._report_modified(fresh, since_ns)

    def follow_tree(self, root: str, *, since_ns: int | None = None) -> None:
        """Follow all files below the folder `root` that no rule excludes. Those modified at `since_ns` or later count as changed.

        What takes longer to read is read by `take`.
        """
        self._roots.add(root)
        called_ns = file_time_ns() if since_ns is None else since_ns
        self._walks.append((self._walk(root), since_ns))
        begun = time.monotonic()
        self._go_on(begun + max(0.0, self._slice_s - self._read_s))
        self._read_s += time.monotonic() - begun
        if self._walks:
            self._walks[-1] = (self._walks[-1][0], called_ns)

    def _report_modified(self, paths: Sequence[str], since_ns: int | None) -> None:
        """Count those of the followed `paths` as changed that were modified at `since_ns` (`identity.file_time_ns`) or later."""
        if since_ns is not None:
            self._settling.add(self._files.modified_since(paths, since_ns), time.monotonic())

    def _go_on(self, until: float) -> None:
        """Follow some of the folders that have not been read yet; after the first, stop when the clock shows `until`."""
        while self._walks:
            walk, since_ns = self._walks[0]
            found = next(walk, None)
            if found is None:
                self._walks.popleft()
                continue
            self._report_modified(found, since_ns)
            if time.monotonic() >= until:
                return

    def _add_tree(self, root: str) -> list[str]:
        """Follow what is in a folder and below; return the files that were not followed before."""
        return [path for found in self._walk(root) for path in found]

    def _walk(self, root: str) -> Iterator[list[str]]:
        """Follow what is in a folder and below, some files at a time; yield those that were not followed before."""
        folders = [root]
        seen: set[tuple[int, int]] = set()  # each real folder once, whatever links lead to it
        while folders:
            folder = folders.pop()
            self._watch_folder(folder)
            try:
                about = os.stat(folder)
                entries = list(os.scandir(folder))
            except OSError:
                continue
            if (about.st_dev, about.st_ino) in seen:
                continue
            seen.add((about.st_dev, about.st_ino))
            found: list[str] = []
            for entry in entries:
                try:
                    is_folder = entry.is_dir(follow_symlinks=False)
                except OSError:
                    continue
                if self._rules.is_ignored(entry.path, is_folder=is_folder):
                    continue
                if is_folder:
                    folders.append(entry.path)
                elif entry.path not in self._files:
                    self._files.add(entry.path)
                    found.append(entry.path)
                    if len(found) == _MOST_AT_ONCE:
                        yield found
                        found = []
            yield found

    def _watch_folder(self, folder: str) -> None:
        if self._state == "notified" and self._is_remote(folder):
            self._fall_back(f"cannot get events for files in {folder}: checking for changes every {POLL_S} s")
        if self._state != "notified":
            return
        try:
            if self._notifier.add(folder):
                self._absent.discard(folder)
            else:
                self._absent.add(folder)
                above = os.path.dirname(folder)
                while above != os.path.dirname(above) and not self._notifier.add(above):
                    above = os.path.dirname(above)
        except LimitReached as limit:
            self._fall_back(_no_more(limit))

    def _is_remote(self, folder: str) -> bool:
        """Return whether other machines can change the file system of `folder` without an event on this one."""
        if self._mounts is None:
            self._mounts = _mount_kinds()
        while folder not in self._mounts:
            above = os.path.dirname(folder)
            if above == folder:
                return False
            folder = above
        return self._mounts[folder].startswith(_REMOTE)

    # --- what has changed

    def take(self) -> list[str]:
        """Return the changed paths once they have settled. Never waits."""
        now = time.monotonic()
        self._go_on(now + self._slice_s)
        if self._state == "notified":
            self._take_notices(now)
        if self._absent:
            self._look_for_absent(now)
        if self._state == "polling" and not self._walks and (self._looking is not None or now >= self._look_at):
            self._go_on_looking()
        due = self._settling.take(now)
        self.brief = frozenset()
        if self._made:
            self.brief = frozenset(path for path in due if path in self._made and not os.path.lexists(path))
            for path in self.brief:
                self._files.forget(path)
                self._made.discard(path)
            due = [path for path in due if path not in self.brief]
        if due:
            self.new = frozenset(self._made.intersection(due))
            self._made.difference_update(due)
        if not self._unfinished:
            return due
        # These files have not been closed yet; their current state counts.
        unfinished = self._unfinished.intersection(due)
        self._unfinished -= unfinished
        changed = self._files.take_changed(unfinished)
        return [path for path in due if path not in unfinished or path in changed]

    def _take_notices(self, now: float) -> None:
        notices = self._notifier.take()
        if notices.lost:
            for _ in self._look():
                pass
        for folder in notices.gone:
            if folder in self._roots or not self._is_in_tree(os.path.join(folder, ".")):
                self._absent.add(folder)  # otherwise, an event of the tree reports that it exists again
            self._settling.add(self._files.take_changed(self._files.below(folder)), now)
        # A file that appears in a folder that is followed as a whole is followed from now on.
        fresh = [path for path in notices.settled if path not in self._files and self._is_in_tree(path)]
        for path in fresh:
            self._add_fresh(path, now)
        if any(os.path.basename(path) == IGNORE_FILE for path in notices.settled):
            self._rules.forget()
        changed = self._files.take_changed(notices.settled)
        self._settling.add([path for path in changed if path in self._made], now, new=True)
        self._settling.add([path for path in changed if path not in self._made], now)
        self._unfinished -= notices.settled
        still_open = [path for path in notices.unsettled if path in self._files]
        self._unfinished.update(still_open)
        self._settling.add(still_open, now, unfinished=True)

    def _add_fresh(self, path: str, now: float) -> None:
        is_folder = os.path.isdir(path) and not os.path.islink(path)
        if self._rules.is_ignored(path, is_folder=is_folder):
            return
        if is_folder:
            self._settling.add(self._files.take_changed(self._files.below(path)), now)  # it may exist again
            found = self._add_tree(path)
            self._made.update(found)
            self._settling.add(found, now, new=True)
        elif os.path.lexists(path):
            self._files.add(path)
            self._made.add(path)
            self._settling.add([path], now, new=True)

    def _is_in_tree(self, path: str) -> bool:
        """Return whether `path` is below a followed folder, and no folder between them is ignored."""
        folder = os.path.dirname(path)
        while folder not in self._roots:
            above = os.path.dirname(folder)
            if above == folder or self._rules.is_ignored(folder, is_folder=True):
                return False
            folder = above
        return True

    def _look_for_absent(self, now: float) -> None:
        for folder in list(self._absent):
            if os.path.isdir(folder):
                self._watch_folder(folder)
                if folder in self._absent:
                    continue
                if folder in self._roots or self._is_in_tree(os.path.join(folder, ".")):
                    self._settling.add(self._add_tree(folder), now)
                self._settling.add(self._files.take_changed(self._files.below(folder)), now)

    def _look(self) -> Iterator[None]:
        """Compare all followed files, some at a time."""
        for root in list(self._roots):
            for found in self._walk(root):
                self._made.update(found)
                self._settling.add(found, time.monotonic())
                yield
        paths = self._files.paths
        for at in range(0, len(paths), _MOST_AT_ONCE):
            self._settling.add(self._files.take_changed(paths[at : at + _MOST_AT_ONCE]), time.monotonic())
            yield

    def _go_on_looking(self) -> None:
        """Begin a look at all files, or continue it for a slice."""
        begun = time.monotonic()
        if self._looking is None:
            self._looking = self._look()
        for _ in self._looking:
            if time.monotonic() - begun >= self._slice_s:
                self._looked_s += time.monotonic() - begun
                return
        now = time.monotonic()
        self._look_at = now + max(POLL_S, (self._looked_s + now - begun) * _REST)
        self._looking, self._looked_s = None, 0.0

    # --- without events

    def _fall_back(self, why: str) -> None:
        """Switch from events to polling, with a warning."""
        self._notifier.close()
        self._begin_to_poll()
        self._warn(why)

    def _begin_to_poll(self) -> None:
        self._state, self._look_at = "polling", time.monotonic() + POLL_S
        self._absent.clear()

    def close(self) -> None:
        self._walks.clear()
        self._looking = None
        match self._state:
            case "notified":
                self._notifier.close()
            case "polling" | "closed":
                pass
            case other:
                unreachable(other)
        self._state = "closed"


def _no_more(limit: LimitReached) -> str:
    return (
        f"the limit on file watches is reached: checking for changes every {POLL_S} s, and less often if there are many files. "
        f"To be notified instead, raise the limit (sudo sysctl {limit}), or exclude folders ([watch] ignore)"
    )


def _mount_kinds() -> dict[str, str]:
    """Return the type of file system of each mount point of this machine; empty if that cannot be read."""
    kinds = {}
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                words = line.split(" ")
                kinds[words[1].replace("\\040", " ")] = words[2]
    except OSError:
        return {}
    return kinds
