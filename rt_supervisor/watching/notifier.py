"""The kernel's file events, through watchdog: which names changed in which of the watched folders.

Folders are watched one by one, not recursively: callers add each folder of a tree. A file is followed through its folder,
so that saving by rename and atomic replacement are seen. `fileno` is readable when `take` has changes. watchdog reads
the events on its thread; everything else runs on the caller's.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import logging
import os

from watchdog.observers.inotify_c import CallbackId, InotifyConstants, InotifyEvent, InotifyFD, Mask, WatchDescriptor

from ..vocabulary.record import record
from .folder_tree import FolderTree
from .limits import inotify_limit

WRITTEN = InotifyConstants.IN_CLOSE_WRITE
_ENDED = InotifyConstants.IN_DELETE_SELF | InotifyConstants.IN_MOVE_SELF
_BEING_WRITTEN = InotifyConstants.IN_MODIFY
_MASK = (
    WRITTEN
    | _BEING_WRITTEN
    | InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
    | _ENDED
)
# Events of a folder that holds a watched one: enough to notice that the watched folder is removed or created. A folder
# that is a process's working folder does not report its own deletion until that process has ended.
_NAMES = (
    InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
    | _ENDED
)
_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)

_RAISE = 4  # by what a limit that is reached should be multiplied
_USUAL = 8192  # the limit where it cannot be read

# watchdog's logger would print that events were lost; `Notices.lost` handles that.
logging.getLogger("watchdog").addHandler(logging.NullHandler())


class LimitReached(Exception):
    """The system allows no more watches; the text is the setting of the limit, with a higher value."""

    def __init__(self, name: str) -> None:
        super().__init__(f"fs.inotify.{name}={_RAISE * (inotify_limit(name) or _USUAL)}")


@record
class Notices:
    """What has happened since the last call.

    `settled` are paths whose file is complete: closed after writing, renamed, deleted or created. `unsettled` ones are
    being written. `gone` are watched folders that were moved or deleted, and so are no longer watched. With `lost`,
    events were dropped and anything may have changed.
    """

    settled: frozenset[str]
    unsettled: frozenset[str]
    gone: frozenset[str]
    lost: bool


class Notifier:
    """Watches folders until it is closed."""

    def __init__(self) -> None:
        """Raises LimitReached."""
        try:
            self._inotify = InotifyFD()
        except OSError as error:
            raise LimitReached("max_user_instances") from error
        self._arrived: collections.deque[tuple[int, int, bytes]] = collections.deque()
        self._folders: dict[int, str] = {}
        self._descriptors: dict[str, int] = {}
        self._tree = FolderTree(self._descriptors)
        self._inodes: dict[str, tuple[int, int] | None] = {}
        self._outer: set[str] = set()  # watched only for their entries
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._lost = False
        self._inotify.start()

    def fileno(self) -> int:
        return self._wake

    def __contains__(self, folder: str) -> bool:
        return folder in self._descriptors

    def add(self, folder: str) -> bool:
        """Watch `folder`; return False if it does not exist or cannot be read. Raises LimitReached."""
        if folder in self._outer:
            self._forget(folder)
        if not self._add(folder, _MASK):
            return False
        outer = os.path.dirname(folder)
        if outer not in self._descriptors and self._add(outer, _NAMES):
            self._outer.add(outer)
        return True

    def _add(self, folder: str, mask: int) -> bool:
        if folder in self._descriptors:
            return True
        try:
            watched = self._inotify.add_callback(os.fsencode(folder), Mask(mask), self, CallbackId(0))
        except OSError as error:
            if error.errno in _LIMITS:
                raise LimitReached("max_user_watches") from error
            return False
        if watched < 0:
            return False
        self._folders[watched] = folder
        self._descriptors[folder] = watched
        self._tree.add(folder)
        self._inodes[folder] = _inode(folder)
        return True

    def take(self) -> Notices:
        """Return what has arrived. Never waits."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake, 1 << 16)
        settled: set[str] = set()
        unsettled: set[str] = set()
        gone: set[str] = set()
        while self._arrived:
            watched, mask, name = self._arrived.popleft()
            folder = self._folders.get(watched)
            if folder is None:
                continue
            if mask & (_ENDED | InotifyConstants.IN_IGNORED):
                gone.update(self._forget_with_all_below(folder))
                continue
            path = os.path.join(folder, os.fsdecode(name)) if name else folder
            if mask & _BEING_WRITTEN:
                unsettled.add(path)
            else:
                settled.add(path)
                if path in self._descriptors and self._inodes[path] != _inode(path):
                    gone.update(self._forget_with_all_below(path))
        lost, self._lost = self._lost, False
        return Notices(frozenset(settled), frozenset(unsettled - settled), frozenset(gone), lost)

    def _forget_with_all_below(self, folder: str) -> list[str]:
        """Stop watching a folder that moved, and all folders below it; return those that were followed."""
        forgotten = [folder, *self._tree.below(folder)]
        followed = [each for each in forgotten if each not in self._outer]
        for each in forgotten:
            self._forget(each)
        return followed

    def _forget(self, folder: str) -> None:
        watched = self._descriptors.pop(folder)
        self._tree.remove(folder)
        del self._folders[watched]
        del self._inodes[folder]
        self._outer.discard(folder)
        try:
            self._inotify.remove_callbacks(
                [(WatchDescriptor(watched), CallbackId(0))]
            )  # a moved folder is still watched under its new path
        except OSError:
            return

    def close(self) -> None:
        self._inotify.stop()
        self._inotify.join()
        os.close(self._wake)
        os.close(self._waker)

    # --- on watchdog's thread

    def on_event(self, event: InotifyEvent) -> None:
        self._arrived.append((event.wd, event.mask, event.name))
        self._ring()

    def on_watch_deleted(self, wd: int) -> None:
        self._arrived.append((wd, InotifyConstants.IN_IGNORED, b""))
        self._ring()

    def on_queue_overflow(self) -> None:
        self._lost = True
        self._ring()

    def _ring(self) -> None:
        try:
            os.write(self._waker, b"\0")
        except BlockingIOError:
            return  # the event is already set


def _inode(path: str) -> tuple[int, int] | None:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino
