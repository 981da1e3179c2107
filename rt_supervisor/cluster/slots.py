"""The slots of an agent: processes that run tasks (`execution`), started when they are needed and used again.

```text
idle ──run──> running ──ended──> idle
                 └──it does not end in time, or breaks──> killed; the next task gets another process
```

Messages are decoded as they arrive, and those of one read are yielded together. While too many bytes wait to be used, the pipe is not read,
so that the script waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys

from . import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from typing import Any

    Message = tuple[Any, ...]

SLOT_COMMAND = ("agent", "--slot")  # the command of rt by which a process becomes a slot
_INPUT, _OUTPUT = 0, 1
_ENDING_S = 0.5  # how much longer than the grace period a slot may take to end its task
_MOST_BYTES = 1 << 18  # of messages that wait to be used


def rt_command() -> list[str]:
    """Return the command of the rt that this Python belongs to."""
    beside = os.path.join(os.path.dirname(sys.executable), "rt")
    found = beside if os.access(beside, os.X_OK) else shutil.which("rt")
    return [found] if found else [sys.executable, "-m", "rt_supervisor"]


class SlotLost(Exception):
    """The process of a slot has ended by itself, or was killed."""


class Slot:
    """One process. `run` yields its messages."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._process: _Process | None = None
        self._is_running = False

    async def run(self, job: bytes, tree: str) -> AsyncIterator[Sequence[Message]]:
        """Run a job in `tree`; yield its messages in order, one or more at a time, until one is "ended" or "refused". Raises SlotLost."""
        process = self._process
        if process is None or process.has_ended:
            process = self._process = await self._start()
        self._is_running = True
        try:
            process.write(("run", job, tree))
            while True:
                messages = await process.take()
                yield messages
                if messages[-1][0] in ("ended", "refused"):
                    return
        finally:
            self._is_running = False

    async def end(self, number: int, grace_s: float) -> None:
        """Have the running task end by signal `number`; kill the slot if that takes too long."""
        process = self._process
        if process is None or not self._is_running:
            return
        process.write(("end", int(number), grace_s))
        await asyncio.sleep(grace_s + _ENDING_S)
        if self._is_running:
            self.kill()

    def kill(self) -> None:
        """End the process. Its guardian ends what the task has started."""
        if self._process is not None:
            self._process.kill()

    async def close(self) -> None:
        """End the process and wait for it."""
        process, self._process = self._process, None
        if process is not None:
            await process.close(_ENDING_S)

    async def _start(self) -> _Process:
        _, process = await asyncio.get_running_loop().subprocess_exec(
            _Process,
            *rt_command(),
            *SLOT_COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None,
            env=self._environment,
            start_new_session=True,  # Ctrl-C reaches the agent alone
        )
        return process


class _Process(asyncio.SubprocessProtocol):
    """The process of a slot as its agent sees it. All methods are called in the agent's event loop."""

    def __init__(self) -> None:
        self._decoder = frames.Decoder()
        self._messages: list[Message] = []
        self._bytes = 0
        self._is_paused = False
        self._wait: asyncio.Future[None] | None = None
        self._exited = asyncio.Event()
        self.has_ended = False  # nothing can be read any more

    def write(self, message: Message) -> None:
        """Send a message. One that the process does not read any more is dropped; `take` raises then."""
        pipe = self._transport.get_pipe_transport(_INPUT)
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(frames.encode(message))

    async def take(self) -> Sequence[Message]:
        """Return the messages that have arrived, at least one. Raises SlotLost."""
        while not self._messages:
            if self.has_ended:
                raise SlotLost
            self._wait = asyncio.get_running_loop().create_future()
            await self._wait
        messages, self._messages, self._bytes = self._messages, [], 0
        if self._is_paused:
            self._is_paused = False
            self._output().resume_reading()
        return messages

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._transport.kill()

    async def close(self, patience_s: float) -> None:
        """Have the process end, kill it if it does not within `patience_s` seconds, and wait for its end."""
        pipe = self._transport.get_pipe_transport(_INPUT)
        if pipe is not None:
            pipe.close()
        try:
            await asyncio.wait_for(self._exited.wait(), patience_s)
        except TimeoutError:
            self.kill()
            await self._exited.wait()
        self._transport.close()

    def _output(self) -> asyncio.ReadTransport:
        pipe = self._transport.get_pipe_transport(_OUTPUT)
        assert isinstance(pipe, asyncio.ReadTransport)
        return pipe

    # --- called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._bytes += len(data)
        self._messages += self._decoder.feed(data)
        if self._bytes >= _MOST_BYTES and self._messages and not self._is_paused:
            self._is_paused = True
            self._output().pause_reading()
        self._wake()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _OUTPUT:
            self.has_ended = True
            self._wake()

    def process_exited(self) -> None:
        self._exited.set()

    def _wake(self) -> None:
        if self._wait is not None and not self._wait.done() and (self._messages or self.has_ended):
            self._wait.set_result(None)
