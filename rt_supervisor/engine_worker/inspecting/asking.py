"""A program that is asked from outside (SIGUSR1) to listen for a debugger."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..program.worker import EngineWorker


def listen_soon(worker: EngineWorker) -> None:
    """Listen as soon as JavaScript can be stopped for it; from any thread."""

    def listen() -> None:
        worker.debugging.listen()

    worker.engine.interrupt(listen)
    worker.loop.complete(listen)
