"""Combines a display with observers such as the summary and the report: output goes to the display, events to all."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...vocabulary.events import Event
    from ..display import Display, Meter, Observer


class FanOut:
    """A `Display` that forwards everything to `display`, and events also to `observers`, in this order.

    `meter` is an observer that also has a `tick`.
    """

    def __init__(self, display: Display, *observers: Observer, meter: Meter | None = None) -> None:
        self._display = display
        self._observers = observers if meter is None else (*observers, meter)
        self._meter = meter
        self.write = display.write
        self.drained = display.drained
        self.resized = display.resized

    def tick(self, now: float) -> None:
        self._display.tick(now)
        if self._meter is not None:
            self._meter.tick(now)

    @property
    def interval_ms(self) -> int | None:
        intervals = [each.interval_ms for each in (self._display, self._meter) if each is not None]
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
