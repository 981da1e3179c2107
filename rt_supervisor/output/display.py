"""The seam between a run and what is said of it: a `Display` shows it, an `Observer` only hears of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ..vocabulary.events import Event

    class Display(Protocol):
        """Shows one run. Methods are called from one thread, in the order things happened.

        `write` gets each block of bytes that a step's process wrote to `stream` (`events.STDOUT` or `STDERR`) as it was
        read, at most 1 MiB, with no regard to line ends; `drained` says that no more will come from that stream.
        `tick` is called at least every `interval_ms` while scripts run, when that is not None (terminals redraw there);
        `resized` after the terminal changed its size; `close` last, also after a failure.
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
        """An observer that also wants to look for itself: `tick` is called at least every `interval_ms`, when that is not None."""

        @property
        def interval_ms(self) -> int | None: ...
        def tick(self, now: float) -> None: ...
