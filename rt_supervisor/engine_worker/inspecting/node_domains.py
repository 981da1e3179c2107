"""Commands that Node adds to V8's: `NodeRuntime`, which reports that a program waits for a debugger or for its disconnection,
`NodeWorker` (`worker_links`), `Network` (`network`) and `DOMStorage` (`dom_storage`).

All other commands are V8's, which rejects those it does not know.
"""

from __future__ import annotations

import json

from .network import SERVER_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .dom_storage import DomStorage
    from .network import Network
    from .worker_links import WorkerHub

WAITING = '{"method":"NodeRuntime.waitingForDebugger","params":{}}'


class NodeDomains:
    """The state of these domains for each front end; `send(client, message)` replies to one."""

    def __init__(self, send: Callable[[int, str], None], network: Network, storage: DomStorage) -> None:
        self._send = send
        self._network = network
        self._storage = storage
        self._enabled: set[int] = set()
        self._wants_end: set[int] = set()
        self._is_waiting = False
        self._hub: WorkerHub | None = None
        self._is_of_worker = False  # then the hub belongs to the main program, and only its front ends use it

    def answer(self, client: int, text: str, *, has_network: bool) -> bool:
        """Reply to `text` if it is for one of these domains; return whether it was. `has_network` is whether the client's
        dialect has the domains `Network` and `DOMStorage`.
        """
        if has_network and (self._network.answer(client, text) or self._storage.answer(client, text)):
            return True
        if '"Node' not in text:
            return False
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return False
        if not isinstance(message, dict):
            return False
        domain, _, name = str(message.get("method", "")).partition(".")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        answer: dict[str, Any] = {"id": message.get("id")}
        try:
            if handler := self._handler(domain, name):
                handler(client, params)
                answer["result"] = {}
            else:
                return False
        except KeyError as missing:
            answer["error"] = {"code": SERVER_ERROR, "message": f"Session {missing.args[0]} not found"}
        self._send(client, json.dumps(answer))
        return True

    def _handler(self, domain: str, name: str) -> Callable[[int, dict[str, Any]], None] | None:
        if domain == "NodeRuntime":
            own = {
                "enable": self._enable,
                "disable": self._disable,
                "notifyWhenWaitingForDisconnect": self._notify_end,
            }
            return own.get(name)
        if domain != "NodeWorker" or self._is_of_worker:
            return None
        hub = self.hub
        workers = {
            "enable": hub.enable,
            "disable": hub.disable,
            "sendMessageToWorker": hub.carry,
            "detach": hub.detach,
        }
        return workers.get(name)

    @property
    def hub(self) -> WorkerHub:
        if self._hub is None:
            from .worker_links import WorkerHub

            self._hub = WorkerHub(self._send)
        return self._hub

    @hub.setter
    def hub(self, hub: WorkerHub) -> None:
        self._hub = hub
        self._is_of_worker = True

    def _enable(self, client: int, _params: dict[str, Any]) -> None:
        self._enabled.add(client)
        if self._is_waiting:
            self._send(client, WAITING)

    def _disable(self, client: int, _params: dict[str, Any]) -> None:
        self._enabled.discard(client)

    def _notify_end(self, client: int, params: dict[str, Any]) -> None:
        if params.get("enabled"):
            self._wants_end.add(client)
        else:
            self._wants_end.discard(client)

    def wait(self, is_waiting: bool) -> None:
        """Record whether the program waits for a debugger."""
        self._is_waiting = is_waiting
        for client in self._enabled if is_waiting else ():
            self._send(client, WAITING)

    def report_end(self) -> None:
        """Report to the front ends that requested it that the program waits for them to disconnect."""
        for client in self._wants_end:
            self._send(client, '{"method":"NodeRuntime.waitingForDisconnect","params":{}}')

    def awaits_leave(self) -> bool:
        """Return whether one of them is still connected, so that the program's context must stay."""
        return bool(self._wants_end)

    def forget(self, client: int) -> None:
        """A front end has disconnected."""
        if self._hub is not None and not self._is_of_worker:
            self._hub.disable(client, {})
        self._network.forget(client)
        self._storage.forget(client)
        self._enabled.discard(client)
        self._wants_end.discard(client)
