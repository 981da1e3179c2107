"""Serves a running run to its clients: what happens, what tasks print, and operations on tasks.

The loop of the run calls `act` when `descriptor` is readable, and after each turn; no call blocks. The server is also a display of the
run (`output.display`), beside the one that the user sees, and takes the state of tasks and their output from there. What a
request means for the run is decided by the policy that drives it (`Operations`).
"""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import time

from ..output.displays.event_json import described
from ..output.drawing.spool import SlotFile
from ..vocabulary.errors import Failed
from ..vocabulary.events import StepStarted
from .connection import Connection
from .protocol import PROTOCOL
from .recent_output import RecentOutput
from .run_state import RunState
from .task_names import find_tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from ..plan.model import RunPlan
    from ..vocabulary.events import Event
    from .block_keys import BlockKeys

    class Operations(Protocol):
        """What a policy does on request. Those on tasks return the tasks on which they have an effect; all may raise Failed."""

        @property
        def watching(self) -> str | None:
            """The state of watching: "on" or "paused", None if the run is not watched."""

        def start_tasks(self, keys: Sequence[int]) -> Sequence[int]: ...
        def stop_tasks(self, keys: Sequence[int]) -> Sequence[int]: ...
        def restart_tasks(self, keys: Sequence[int]) -> Sequence[int]: ...
        def write_input(self, key: int, data: bytes) -> int: ...
        def resize(self, key: int, rows: int, columns: int) -> None: ...
        def pause_watching(self, is_paused: bool) -> None: ...
        def stop_run(self) -> None: ...


MOST_CLIENTS = 64
_FAREWELL_S = 0.5  # how long the end of a run may wait for clients that read slowly
_CREDENTIALS = struct.Struct("3i")


class ControlServer:
    """The server of one run; see `Display` in `output.display` for the methods that the run calls."""

    interval_ms: int | None = None

    def __init__(
        self,
        plan: RunPlan,
        listener: socket.socket,
        *,
        about: Mapping[str, Any],
        version: str,
        on_start: Callable[[], None] | None = None,
        on_tick: Callable[[], None] | None = None,
    ) -> None:
        """`listener` is bound and listens, and stays open. `about` describes the run in the first message, with `version`, which is
        that of rt. `on_start` is called when the first script runs, `on_tick` after each turn of the run.
        """
        self._plan = plan
        self._listener = listener
        self._hello = {"type": "hello", "protocol": PROTOCOL, "version": version, "run": dict(about)}
        self.state = RunState(plan)
        self._file = SlotFile()
        self._outputs = [RecentOutput(task.key, self._file) for task in plan.tasks]
        self._clients: dict[int, Connection] = {}
        self._on_start = on_start
        self._on_tick = on_tick
        self.is_replaced = False  # another plan runs next, and serves the same socket
        self.status = 0  # the exit status of the run, once it has ended
        listener.setblocking(False)
        self._poll = select.epoll()
        self._poll.register(listener, select.EPOLLIN)
        self._keys: BlockKeys | None = None
        self._is_listening = True

    # --- the display

    def event(self, event: Event) -> None:
        self.state.event(event)
        self._listen_again()  # a process has started or ended: there may be descriptors again
        if self._on_start is not None and isinstance(event, StepStarted):
            self._on_start()
            self._on_start = None
        if self._clients:
            self._announce({"type": "event", **described(event, self._plan, origin=self.state.origin)})

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._outputs[task].append(step, stream, block)

    def drained(self, task: int, step: int, stream: int) -> None:
        return

    def tick(self, now: float) -> None:
        if self._on_tick is not None:
            self._on_tick()

    def resized(self) -> None:
        return

    def close(self) -> None:
        """Send what is left to clients that read it soon, and disconnect all."""
        self._announce({"type": "ended", "replaced": self.is_replaced, "status": self.status})
        deadline = time.monotonic() + _FAREWELL_S
        while any(client.is_waiting for client in self._clients.values()) and time.monotonic() < deadline:
            self._poll.poll(0.05)
            self._pump()
        for client in self._clients.values():
            client.close()
        if self._keys is not None:
            self._keys.close()
        self._clients.clear()
        self._poll.close()
        self._file.close()

    # --- clients

    def read_keys(self, keys: BlockKeys) -> None:
        """Act on keys of the user, too. Each is reported once, whether it is read or not: in the background, it belongs to a shell."""
        self._keys = keys
        self._poll.register(keys.descriptor, select.EPOLLIN | select.EPOLLET)

    @property
    def descriptor(self) -> int:
        """The descriptor that is readable when `act` has something to do."""
        return self._poll.fileno()

    def act(self, operations: Operations) -> None:
        """Carry out what clients have requested, and send what they have subscribed to."""
        if self._keys is not None:
            self._keys.refresh()
        for descriptor, _ in self._poll.poll(0):
            if descriptor == self._listener.fileno():
                self._accept()
            elif self._keys is not None and descriptor == self._keys.descriptor:
                self._keys.act(operations, self.state)
            elif (client := self._clients.get(descriptor)) is not None:
                for request in client.receive():
                    self._answer(client, request, operations)
        self._pump()

    def _accept(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):  # the client would wake the run again at once
                self._poll.unregister(self._listener)
                self._is_listening = False
            return
        credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        _, user, _ = _CREDENTIALS.unpack(credentials)
        if user != os.geteuid() or len(self._clients) >= MOST_CLIENTS:
            peer.close()
            return
        client = Connection(peer)
        self._clients[client.fileno()] = client
        self._poll.register(client.fileno(), select.EPOLLIN)
        client.send(self._hello)

    def _listen_again(self) -> None:
        """Accept clients again after rt had no descriptor left."""
        if not self._is_listening:
            self._poll.register(self._listener, select.EPOLLIN)
            self._is_listening = True

    def _pump(self) -> None:
        for descriptor, client in list(self._clients.items()):
            client.pump(self._outputs)
            if client.is_broken:
                del self._clients[descriptor]
                self._poll.unregister(descriptor)
                client.close()
                self._listen_again()
            else:
                self._poll.modify(descriptor, select.EPOLLIN | (select.EPOLLOUT if client.is_waiting else 0))

    def _announce(self, message: Mapping[str, Any]) -> None:
        for client in self._clients.values():
            if client.wants_events or message["type"] == "ended":
                client.pump(self._outputs)  # what was printed before
                client.send(message)

    # --- requests

    def _answer(self, client: Connection, request: Mapping[str, Any], operations: Operations) -> None:
        reply = {"type": "reply", "id": request.get("id")}
        try:
            result = self._carry_out(client, request, operations)
        except Failed as failed:
            client.send({**reply, "error": {"reason": failed.failure.reason, "message": failed.failure.message}})
        else:
            client.send({**reply, "result": result})

    def _carry_out(self, client: Connection, request: Mapping[str, Any], operations: Operations) -> dict[str, Any]:
        match request.get("do"):
            case "subscribe":
                return self._subscribe(client, request)
            case "snapshot":
                return self._snapshot(operations, with_usage=request.get("usage") is True)
            case "start":
                return {"tasks": list(operations.start_tasks(self._tasks_of(request)))}
            case "stop":
                return {"tasks": list(operations.stop_tasks(self._tasks_of(request)))}
            case "restart":
                return {"tasks": list(operations.restart_tasks(self._tasks_of(request)))}
            case "restart-failed":
                failed = self.state.keys_in("failed")
                return {"tasks": list(operations.restart_tasks(failed)) if failed else []}
            case "pause-watching" | "resume-watching" as which:
                operations.pause_watching(which == "pause-watching")
                self._announce({"type": "watching", "state": operations.watching})
                return {"watching": operations.watching}
            case "input":
                return {"accepted": operations.write_input(self._task_of(request), _bytes_of(request))}
            case "resize":
                operations.resize(self._task_of(request), *_size_of(request))
                return {}
            case "stop-run":
                operations.stop_run()
                return {}
            case "detach":
                client.subscribe({}, events=False)
                return {}
            case operation:
                raise Failed("no-such-operation", f"there is no operation {operation!r}")

    def _subscribe(self, client: Connection, request: Mapping[str, Any]) -> dict[str, Any]:
        wanted = request.get("output", [])
        outputs = self._outputs if wanted == "all" else [self._outputs[key] for key in find_tasks(self._plan, wanted)]
        offset, last = request.get("from_offset"), request.get("last_bytes", 0)
        cursors = {
            key: min(each.end, offset) if isinstance(offset, int) else max(each.start, each.end - last)
            for each in outputs
            for key in (each.task,)
        }
        client.subscribe(cursors, events=bool(request.get("events", True)))
        return {"output": [{"task": each.task, "from": cursors[each.task], "end": each.end} for each in outputs]}

    def _snapshot(self, operations: Operations, *, with_usage: bool) -> dict[str, Any]:
        tasks = [
            {**state.described(self.state.origin), "output": {"start": output.start, "end": output.end}}
            for state, output in zip(self.state.tasks, self._outputs, strict=True)
        ]
        if with_usage:
            from ..output.reports.tree_memory import usage_of_trees

            usage = usage_of_trees({task["pid"] for task in tasks if task["pid"] is not None})
            for task in tasks:
                cpu_seconds, memory_bytes = usage.get(task["pid"], (None, None))
                task["usage"] = {"cpuSeconds": cpu_seconds, "memoryBytes": memory_bytes}
        now = round(time.monotonic() - self.state.origin, 6)
        return {"run": self._hello["run"], "at": now, "watching": operations.watching, "tasks": tasks}

    def _tasks_of(self, request: Mapping[str, Any]) -> list[int]:
        wanted = request.get("tasks")
        if not isinstance(wanted, list) or not wanted:
            raise Failed("no-names", f"{request.get('do')} requires the names of tasks")
        return find_tasks(self._plan, wanted)

    def _task_of(self, request: Mapping[str, Any]) -> int:
        keys = find_tasks(self._plan, [request.get("task")])
        if len(keys) != 1:
            raise Failed("no-names", f"{request.get('do')} requires one task")
        return keys[0]


def _bytes_of(request: Mapping[str, Any]) -> bytes:
    import base64

    try:
        return base64.b64decode(request["bytes"], validate=True)
    except (KeyError, TypeError, ValueError) as error:
        raise Failed("no-such-operation", 'input requires "bytes" in base64') from error


def _size_of(request: Mapping[str, Any]) -> tuple[int, int]:
    size = request.get("rows"), request.get("columns")
    match size:
        case (int(rows), int(columns)) if 0 < rows < 65536 and 0 < columns < 65536:
            return rows, columns
    raise Failed("no-such-operation", "resize requires rows and columns from 1 to 65535")
