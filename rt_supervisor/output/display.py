"""The interface between a run and its output: a `Display` shows the run, an `Observer` only receives its events."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ..vocabulary.events import Event

    class Display(Protocol):
        """Shows one run. Methods are called from one thread, in the order of what happens.

        `write` gets each block of bytes that a step's process wrote to `stream` (`events.STDOUT` or `STDERR`) as it was
        read: at most 1 MiB, split anywhere. After `drained`, nothing more comes from that stream. Unless `interval_ms`
        is None, `tick` is called at least that often while scripts run (terminals redraw then). `resized` is called
        after the terminal has changed its size, and `close` last, also after a failure.
        """

        interval_ms: int | None

        def event(self, event: Event) -> None: ...
        def write(self, task: int, step: int, stream: int, block: bytes) -> None: ...
        def drained(self, task: int, step: int, stream: int) -> None: ...
        def tick(self, now: float) -> None: ...
        def resized(self) -> None: ...
        def close(self) -> None: ...

    class Observer(Protocol):
        """Receives the events of a run; `close` is called once, after that of the display, also after a failed run."""

        def event(self, event: Event) -> None: ...
        def close(self) -> None: ...

    class Meter(Observer, Protocol):
        """An observer that also measures: `tick` is called at least every `interval_ms`, unless that is None."""

        @property
        def interval_ms(self) -> int | None: ...
        def tick(self, now: float) -> None: ...
