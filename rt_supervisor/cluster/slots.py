"""The slots of an agent: processes that run tasks (`execution`), started when they are needed and used again.

```text
idle ──run──> running ──ended──> idle
                 └──it does not end in time, or breaks──> killed; the next task gets another process
```
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
    from collections.abc import AsyncIterator, Mapping
    from typing import Any

SLOT_COMMAND = ("agent", "--slot")  # the command of rt by which a process becomes a slot
_ENDING_S = 0.5  # how much longer than the grace period a slot may take to end its task


def rt_command() -> list[str]:
    """Return the command of the rt that this Python belongs to."""
    beside = os.path.join(os.path.dirname(sys.executable), "rt")
    found = beside if os.access(beside, os.X_OK) else shutil.which("rt")
    return [found] if found else [sys.executable, "-m", "rt_supervisor"]


class Slot:
    """One process. `run` yields its messages."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._is_running = False

    async def run(self, job: bytes, tree: str) -> AsyncIterator[tuple[Any, ...]]:
        """Run a job in `tree`; yield its messages, the last of which is "ended" or "refused". Raises SlotLost."""
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                *rt_command(),
                *SLOT_COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=self._environment,
                start_new_session=True,  # Ctrl-C reaches the agent alone
            )
        self._is_running = True
        try:
            await self._write(process, ("run", job, tree))
            while True:
                message = await self._read(process)
                yield message
                if message[0] in ("ended", "refused"):
                    return
        finally:
            self._is_running = False

    async def end(self, number: int, grace_s: float) -> None:
        """Have the running task end by signal `number`; kill the slot if that takes too long."""
        process = self._process
        if process is None or not self._is_running:
            return
        with contextlib.suppress(SlotLost):
            await self._write(process, ("end", int(number), grace_s))
        await asyncio.sleep(grace_s + _ENDING_S)
        if self._is_running:
            self.kill()

    def kill(self) -> None:
        """End the process. Its guardian ends what the task has started."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def close(self) -> None:
        """End the process and wait for it."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _ENDING_S)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _write(self, process: asyncio.subprocess.Process, message: tuple[Any, ...]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(frames.encode(message))
            await process.stdin.drain()
        except OSError as error:
            raise SlotLost from error

    async def _read(self, process: asyncio.subprocess.Process) -> tuple[Any, ...]:
        assert process.stdout is not None
        try:
            head = await process.stdout.readexactly(frames.LENGTH_BYTES)
            return frames.decode(await process.stdout.readexactly(int.from_bytes(head, "little")))
        except (asyncio.IncompleteReadError, OSError) as error:
            raise SlotLost from error


class SlotLost(Exception):
    """The process of a slot has ended by itself, or was killed."""
