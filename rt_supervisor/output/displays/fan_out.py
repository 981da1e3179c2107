"""Combines a display with observers such as the summary and the report, to which events go, or with a second display."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...vocabulary.events import Event
    from ..display import Display, Meter, Observer


class FanOut:
    """A `Display` that forwards everything to `display`, and events also to `observers`, in this order.

    `meters` are observers that also have a `tick`.
    """

    def __init__(self, display: Display, *observers: Observer, meters: Sequence[Meter] = ()) -> None:
        self._display = display
        self._observers = (*observers, *meters)
        self._meters = meters
        self.write = display.write
        self.drained = display.drained
        self.resized = display.resized

    def tick(self, now: float) -> None:
        self._display.tick(now)
        for meter in self._meters:
            meter.tick(now)

    @property
    def interval_ms(self) -> int | None:
        intervals = [each.interval_ms for each in (self._display, *self._meters)]
        return min((interval for interval in intervals if interval is not None), default=None)

    @interval_ms.setter
    def interval_ms(self, value: int | None) -> None:
        self._display.interval_ms = value

    def event(self, event: Event) -> None:
        self._display.event(event)
        for observer in self._observers:
            observer.event(event)

    def close(self) -> None:
        self._display.close()
        for observer in self._observers:
            observer.close()


class Tee:
    """A `Display` that forwards everything to two others. Only the first one is ticked at its own interval."""

    def __init__(self, first: Display, second: Display) -> None:
        self._first = first
        self._second = second

    @property
    def interval_ms(self) -> int | None:
        return self._first.interval_ms

    @interval_ms.setter
    def interval_ms(self, value: int | None) -> None:
        self._first.interval_ms = value

    def event(self, event: Event) -> None:
        self._first.event(event)
        self._second.event(event)

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._first.write(task, step, stream, block)
        self._second.write(task, step, stream, block)

    def drained(self, task: int, step: int, stream: int) -> None:
        self._first.drained(task, step, stream)
        self._second.drained(task, step, stream)

    def tick(self, now: float) -> None:
        self._first.tick(now)
        self._second.tick(now)

    def resized(self) -> None:
        self._first.resized()
        self._second.resized()

    def close(self) -> None:
        try:
            self._first.close()
        finally:
            self._second.close()
