"""Workers for front ends: the domain `NodeWorker`, whose messages carry those of a worker's sessions.

A `WorkerLink` is to a worker's debugger what the server is to the main program's: messages wait in it until the worker's
thread takes them. Everything here may be used from any thread. A worker's messages go to the front end directly.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from threading import Condition, RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    Event = tuple[Literal["connected", "message", "disconnected"], int, str]


class WorkerHub:
    """The workers of a program, and the front ends that observe them; `send(client, message)` reaches one of these."""

    def __init__(self, send: Callable[[int, str], None]) -> None:
        self._send = send
        self._changed = RLock()
        self._enabled: dict[int, bool] = {}  # client -> its workers wait for it
        self._links: set[WorkerLink] = set()
        self._sessions: dict[int, tuple[int, WorkerLink]] = {}
        self._numbers = itertools.count(1)

    def join(self, link: WorkerLink) -> bool:
        """Announce a new worker to front ends; return whether it has to wait for one."""
        with self._changed:
            self._links.add(link)
            for client, waits in self._enabled.items():
                self._attach(client, link, waits)
            return any(self._enabled.values())

    def leave(self, link: WorkerLink) -> None:
        """A worker has ended."""
        with self._changed:
            self._links.discard(link)
            for session in [session for session, (_, each) in self._sessions.items() if each is link]:
                self._detach(session)

    def enable(self, client: int, params: dict[str, Any]) -> None:
        with self._changed:
            if client not in self._enabled:
                for link in self._links:
                    self._attach(client, link, False)
            self._enabled[client] = bool(params.get("waitForDebuggerOnStart"))

    def disable(self, client: int, _params: dict[str, Any]) -> None:
        """A front end no longer observes workers, or has disconnected."""
        with self._changed:
            self._enabled.pop(client, None)
            for session in [session for session, (each, _) in self._sessions.items() if each == client]:
                _, link = self._sessions.pop(session)
                link.put(("disconnected", session, ""))

    def carry(self, client: int, params: dict[str, Any]) -> None:
        """Pass a front end's message on to a worker. Raises KeyError for an unknown session."""
        _, link = self._session(client, params)
        link.put(("message", int(params["sessionId"]), str(params.get("message", ""))))

    def detach(self, client: int, params: dict[str, Any]) -> None:
        """As `carry`, for a session that is over."""
        _, link = self._session(client, params)
        with self._changed:
            link.put(("disconnected", int(params["sessionId"]), ""))
            self._detach(int(params["sessionId"]))

    def forward(self, session: int, text: str) -> None:
        """Send a worker's message in a session to its front end."""
        client = self._sessions.get(session, (None,))[0]
        if client is not None:
            self._event(client, "receivedMessageFromWorker", {"sessionId": str(session), "message": text})

    def _session(self, client: int, params: dict[str, Any]) -> tuple[int, WorkerLink]:
        number = str(params.get("sessionId"))
        found = self._sessions.get(int(number)) if number.isdigit() else None
        if found is None or found[0] != client:
            raise KeyError(number)
        return found

    def _attach(self, client: int, link: WorkerLink, waits: bool) -> None:
        session = next(self._numbers)
        self._sessions[session] = client, link
        link.put(("connected", session, ""))
        self._event(
            client,
            "attachedToWorker",
            {"sessionId": str(session), "workerInfo": link.info, "waitingForDebugger": waits},
        )

    def _detach(self, session: int) -> None:
        client, _ = self._sessions.pop(session)
        self._event(client, "detachedFromWorker", {"sessionId": str(session)})

    def _event(self, client: int, name: str, params: dict[str, Any]) -> None:
        self._send(client, json.dumps({"method": f"NodeWorker.{name}", "params": params}))


class WorkerLink:
    """The events of one worker; closed at the worker's end, or by `close`."""

    def __init__(self, hub: WorkerHub, number: int, name: str, url: str, notify: Callable[[], None]) -> None:
        self._hub = hub
        self._notify = notify
        self._waiting: deque[Event] = deque()
        self._arrived = Condition()
        self._is_over = False
        self.info = {"workerId": str(number), "type": "worker", "title": f"[worker {number}] {name}", "url": url}

    def put(self, event: Event) -> None:
        with self._arrived:
            self._waiting.append(event)
            self._arrived.notify_all()
        self._notify()

    def take(self, *, wait: bool = False) -> Event | None:
        with self._arrived:
            while wait and not self._waiting and not self._is_over:
                self._arrived.wait()
            return self._waiting.popleft() if self._waiting else None

    def send(self, client: int, text: str) -> None:
        self._hub.forward(client, text)

    def stop_listening(self) -> None:
        """Do nothing: front ends connect to the main program's server, never to a worker."""

    def give_up(self) -> None:
        """Make every wait for a front end return."""
        with self._arrived:
            self._is_over = True
            self._arrived.notify_all()

    def close(self) -> None:
        self.give_up()
        self._hub.leave(self)
