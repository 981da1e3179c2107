"""Single file events for programs that watch files themselves (`fs.watch`): the name, and whether it was added, removed
or changed.

They come from watchdog, as in `notifier`, but each is reported with its kind. `fileno` becomes readable when `take` has
events.
"""

from __future__ import annotations

import collections
import errno
import os

from watchdog.observers.inotify_c import CallbackId, InotifyConstants, InotifyEvent, InotifyFD, Mask, WatchDescriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_CHANGES = InotifyConstants.IN_MODIFY | InotifyConstants.IN_ATTRIB
_MASK = (
    _CHANGES
    | InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_DELETE_SELF
    | InotifyConstants.IN_MOVE_SELF
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
)
RENAME, CHANGE = "rename", "change"


class FileEvents:
    """All watches of one program."""

    def __init__(self) -> None:
        """Raises OSError."""
        self._inotify = InotifyFD()
        self._arrived: collections.deque[tuple[int, int, bytes]] = collections.deque()
        self._next = 1
        self._watches: dict[int, _Watch] = {}
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._inotify.start()

    def fileno(self) -> int:
        return self._wake

    def add(self, path: str) -> int:
        """Watch a file or a folder; return the watch's number. Raises OSError."""
        os.stat(path)  # watchdog ignores a path that may not be read
        number = self._next
        self._next += 1
        watch = _Watch(number, os.path.basename(os.path.abspath(path)), self.record_event)
        watch.descriptor = self._inotify.add_callback(os.fsencode(path), Mask(_MASK), watch, CallbackId(number))
        if watch.descriptor < 0:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), path)
        self._watches[number] = watch
        return number

    def remove(self, number: int) -> None:
        """End a watch."""
        watch = self._watches.pop(number, None)
        if watch is None or watch.is_gone:
            return
        try:
            self._inotify.remove_callbacks([(WatchDescriptor(watch.descriptor), CallbackId(number))])
        except OSError:
            return  # the watched file has been deleted

    def take(self) -> list[tuple[int, str, str]]:
        """Return (watch, RENAME or CHANGE, name) of each event that has arrived. Never waits."""
        try:
            os.read(self._wake, 1 << 16)
        except BlockingIOError:
            return []
        events = []
        while self._arrived:
            number, mask, name = self._arrived.popleft()
            watch = self._watches.get(number)
            if watch is not None:
                events.append(
                    (number, CHANGE if mask & _CHANGES else RENAME, os.fsdecode(name) if name else watch.name)
                )
        return events

    def close(self) -> None:
        self._inotify.stop()
        self._inotify.join()
        os.close(self._wake)
        os.close(self._waker)

    def record_event(self, number: int, mask: int, name: bytes) -> None:
        """Record an event, on watchdog's thread."""
        self._arrived.append((number, mask, name))
        try:
            os.write(self._waker, b"\0")
        except BlockingIOError:
            return  # the event is already set


class _Watch:
    """One watch, as watchdog calls it on its thread."""

    def __init__(self, number: int, name: str, arrived: Callable[[int, int, bytes], None]) -> None:
        """Events of the watched path itself are reported under `name`."""
        self.name = name
        self.descriptor = -1
        self.is_gone = False
        self._number = number
        self._arrived = arrived

    def on_event(self, event: InotifyEvent) -> None:
        self._arrived(self._number, event.mask, event.name)

    def on_watch_deleted(self, _descriptor: int) -> None:
        self.is_gone = True

    def on_queue_overflow(self) -> None:
        return  # lost events are not reported, as in Node
