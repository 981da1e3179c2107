"""A worker of a program: an engine on its own thread, which the parent can terminate at any moment.

JavaScript rejects operations on the process: folder, signals, title (`js/node/worker_threads/inside.js`). Messages are
sent through mailboxes that the JavaScript of both sides shares. This file only manages the thread.
"""

from __future__ import annotations

import _thread
import contextlib
import errno
import os
import re
import signal

from ... import _native
from ...vocabulary.errors import Failed, unreachable
from ..start import bundle
from .endings import OUT_OF_MEMORY_STATUS
from .options import ProgramOptions
from .provider import ProgramProvider

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from ..inspecting.debugging import Debugging
    from ..inspecting.worker_links import WorkerHub

    State: TypeAlias = Literal["starting", "abandoned", "running", "ending", "ended"]

TERMINATED_STATUS = 1
STACK_BYTES = 8 << 20
"""The size of the stack: most of it is for JavaScript, the rest for calls of the host."""


class ThreadProgram(ProgramProvider):
    """The provider of one worker's program; created and run on the worker's thread."""

    LEAVES_ADDONS = False  # the process continues, so their cleanup hooks always run

    def __init__(
        self,
        options: ProgramOptions,
        settings: dict[str, Any],
        heap_limit_bytes: int | None,
        hub: WorkerHub | None,
        main: ProgramProvider,
    ) -> None:
        """With a `hub`, front ends of the main program, whose provider is `main`, can debug the worker."""
        self._hub = hub
        self._main = main
        self._settings = settings
        self._heap_limit_bytes = heap_limit_bytes
        super().__init__(options)

    def _make_engine(self, ready: object) -> _native.Engine:
        return bundle.make_another(self._operation, self._heap_limit_bytes or self._heap_limit())

    def _make_code_caches(self) -> _native.CodeCaches:
        return _native.CodeCaches()  # a worker may be terminated at any time, and several may share a file

    def _main_path(self) -> str:
        path = super()._main_path()
        return path if path.startswith("data:") or os.path.exists(path) else ""

    def _start_values(self) -> dict[str, Any]:
        return super()._start_values() | {"worker": self._settings}

    @property
    def debugging(self) -> Debugging:
        if self._debugging is None:
            from ..inspecting.debugging import Debugging

            self._debugging = Debugging(self, f"Worker[{self._settings['threadId']}]")
            self.program.set_debugged()
        return self._debugging

    @property
    def main(self) -> ProgramProvider:
        return self._main

    def reveal(self, hub: WorkerHub) -> None:
        """Let front ends debug the running worker."""
        if self._hub is None:
            self._hub = hub
            self._join(hub, is_running=True)

    def _join(self, hub: WorkerHub, *, is_running: bool) -> None:
        number, name = int(self._settings["threadId"]), str(self._settings.get("name", ""))
        self.debugging.join(hub, number, name, is_running=is_running)

    def give_up_debugging(self) -> None:
        """Stop waiting for front ends; from any thread."""
        if self._debugging is not None:
            self._debugging.give_up()

    def leave_front_ends(self) -> None:
        """Notify front ends that the worker was terminated."""
        if self._debugging is not None:
            self._debugging.close_links()
            self._debugging.close()

    def prepare(self) -> None:
        if self._hub is not None:
            self._join(self._hub, is_running=False)
        super().prepare()

    def run_code(self) -> None:
        if self.options.code is not None:
            super().run_code()
            return
        text = f"Cannot find module '{self.options.entry}'"
        error = self.entry.invoke("moduleError", "MODULE_NOT_FOUND", text, text)
        self.entry.invoke("uncaught", error)


class WorkerThread:
    """One worker, as its parent sees it. `on_end(status, reason)` is called once, on the worker's thread.

    starting --its engine is made--> running --terminate--> ending --> ended
       |                                `--program over, or failed--> ended
       `--terminate--> abandoned --its engine is made, or cannot be--> ended
    """

    def __init__(self, make: Callable[[], ThreadProgram], on_end: Callable[[int, str], None]) -> None:
        self._make = make
        self._on_end = on_end
        self._state: State = "starting"
        self._program: ThreadProgram  # while running or ending
        self._guard = _thread.allocate_lock()
        self._running = _thread.allocate_lock()
        self._running.acquire()
        before = _thread.stack_size(STACK_BYTES)
        try:
            _thread.start_new_thread(self._run, ())
        finally:
            _thread.stack_size(before)

    def terminate(self) -> None:
        """Terminate the worker, whatever it is doing; from any thread."""
        with self._guard:
            match self._state:
                case "starting":
                    self._state = "abandoned"
                case "running" | "ending":  # ending twice is harmless
                    self._state = "ending"
                    self._program.loop.complete(_stop)
                    self._program.engine.terminate()
                    self._program.give_up_debugging()
                case "abandoned" | "ended":
                    pass
                case other:
                    unreachable(other)

    def reveal(self, hub: WorkerHub) -> None:
        """Let front ends debug the worker, if it runs; from any thread."""
        with self._guard:
            if self._state == "running":
                program = self._program
                program.loop.complete(lambda: program.reveal(hub))

    def join(self, patience_s: float) -> bool:
        """Wait until the thread has ended."""
        return self._running.acquire(timeout=patience_s)

    def _run(self) -> None:
        status, reason = TERMINATED_STATUS, ""
        try:
            # Signals are handled on the thread that runs the main program.
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            status, reason = self._outcome()
        finally:
            try:
                self._on_end(status, reason)
            finally:
                self._running.release()

    def _outcome(self) -> tuple[int, str]:
        program: ThreadProgram | None = None
        try:
            program = self._make()
            program.loop.waker()  # from now on it can be woken
            with self._guard:
                if self._state == "abandoned":
                    return TERMINATED_STATUS, ""
                self._state, self._program = "running", program
            return program.run(), ""
        except SystemExit as ended:
            return int(ended.code or 0), ""
        except _native.JsTerminated:
            return TERMINATED_STATUS, ""
        except Failed as failed:
            if failed.failure.status == OUT_OF_MEMORY_STATUS:
                return TERMINATED_STATUS, "memory"
            return TERMINATED_STATUS, failed.failure.message
        except (OSError, _native.JsError) as error:
            if program is not None:
                raise
            return TERMINATED_STATUS, _why_not_started(error)
        finally:
            with self._guard:
                if self._state in ("running", "ending"):
                    del self._program  # releases the engine and everything that it holds
                self._state = "ended"
            if program is not None:
                _close(program)


def _why_not_started(error: Exception) -> str:
    """Return the name of the system's error, as Node does, or else the message. JavaScript reports one by its number."""
    number = error.errno if isinstance(error, OSError) else None
    if number is None and (found := re.search(r"\(os error (\d+)\)|\[Errno (\d+)\]", str(error))):
        number = int(found[1] or found[2])
    return errno.errorcode.get(number or 0) or str(error).removeprefix("Error: ")


def _stop() -> None:
    raise SystemExit(TERMINATED_STATUS)


def _close(program: ThreadProgram) -> None:
    program.end_threads()
    with contextlib.suppress(RuntimeError):
        program.leave_front_ends()
    with contextlib.suppress(BaseException):
        program.output.flush()
    with contextlib.suppress(RuntimeError):
        program.loop.close()
    with contextlib.suppress(RuntimeError):
        program.engine.close()
    vars(program).clear()  # the loop must be released on its own thread, or its descriptors leak
