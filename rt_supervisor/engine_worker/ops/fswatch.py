"""Operations of `js/node/fs/watch.js`: file events, through watchdog, which is imported for the first watch."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...watching.events import FileEvents
    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    watches = ProgramWatches(host)
    return {"open": watches.open, "close": watches.close, "reference": watches.reference}


class ProgramWatches:
    """The watches of one program."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._events: FileEvents | None = None
        self._callbacks: dict[int, Any] = {}

    def open(self, path: str, callback: Any) -> int:
        """Call `callback` with "rename" or "change" and a name at each event; return a number, or a negative errno."""
        from ...watching.events import FileEvents

        try:
            if self._events is None:
                self._events = FileEvents()
                self._host.loop.watch(self._events.fileno(), self._deliver)
            number = self._events.add(path)
        except OSError as error:
            return -(error.errno or 0)
        self._callbacks[number] = callback
        return number

    def close(self, number: int) -> None:
        self._callbacks.pop(number, None)
        if self._events is not None:
            self._events.remove(number)

    def reference(self, change: int) -> None:
        self._host.loop.references += change

    def _deliver(self) -> None:
        assert self._events is not None
        for number, kind, name in self._events.take():
            callback = self._callbacks.get(number)
            if callback is not None:
                self._host.entry.invoke("call", callback, kind, name)
