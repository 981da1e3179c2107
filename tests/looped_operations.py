"""Operations of one area on a real event loop. `operations(host)` sees a host that has only the loop and the entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rt_supervisor._native import Loop


class _Entry:
    """The functions of JavaScript that operations call back."""

    def invoke(self, name: str, callback: Callable[..., object], *arguments: Any) -> None:
        assert name == "call"
        callback(*arguments)


class LoopHost:
    """What an area needs of its host: an event loop, and callbacks."""

    def __init__(self) -> None:
        self.loop = Loop(lambda: None)
        self.entry = _Entry()

    def run_until(self, is_done: Callable[[], object]) -> None:
        """Turn the loop until `is_done()`; a turn waits for the next event."""
        while not is_done():
            self.loop.turn(True, -1)


@contextmanager
def opened(area: Any) -> Iterator[tuple[LoopHost, dict[str, Any]]]:
    """Yield a host and the functions of `area` by name."""
    host = LoopHost()
    functions = area(host)
    try:
        yield host, {name: each[0] if isinstance(each, tuple) else each for name, each in functions.items()}
    finally:
        host.loop.close()
