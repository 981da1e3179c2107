"""One client that speaks the JavaScriptCore dialect: its commands, and the events and results of its V8 session.

V8 answers while a message is dispatched, so a handler asks it as one calls a function; only promises take longer
(`Later`). A handler may run within another one, because an evaluation can pause.
"""

from __future__ import annotations

import itertools
import json

from . import (
    console,
    debugger,
    heap,
    inspector,
    lifecycle_reporter,
    runtime,
    script_profiler,
    test_reporter,
)
from .table import INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, Domain, Later, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from .table import Params

    class Host(Protocol):
        """The debugged program."""

        def call_in_pause(self, action: Callable[[], None]) -> None:
            """Call `action` once V8, which announces a pause, accepts commands that end it."""

        def call_when_idle(self, action: Callable[[], None]) -> None:
            """Call `action` in the next turn of the loop."""

        def pause_soon(self, client: int) -> None:
            """Pause at the next call of a function, for this client."""

        def found_tests(self) -> list[Params]:
            """Return the tests that `node:test` has found so far: `id`, `name`, `url`, `line`, `type` and `parentId`."""

        def module_graph(self) -> Params:
            """Return what identifies the program: `cwd`, `main`, `argv`."""

        def watch_microtasks(self, client: int, is_watched: bool) -> None:
            """Pause the program at the beginning of each reaction of a promise, or no longer."""


DOMAINS: dict[str, Domain] = {
    "Inspector": inspector.DOMAIN,
    "Debugger": debugger.DOMAIN,
    "Runtime": runtime.DOMAIN,
    "Console": console.DOMAIN,
    "Heap": heap.DOMAIN,
    "ScriptProfiler": script_profiler.DOMAIN,
    "LifecycleReporter": lifecycle_reporter.DOMAIN,
    "TestReporter": test_reporter.DOMAIN,
}
COMMANDS = frozenset(f"{name}.{command}" for name, domain in DOMAINS.items() for command in domain.commands)
_LISTENERS: dict[str, list[Callable[[JscSession, Params], None]]] = {}
for _domain in DOMAINS.values():
    for _name, _listener in _domain.events.items():
        _LISTENERS.setdefault(_name, []).append(_listener)


class JscSession:
    """Translates between a client and its V8 session: `dispatch(text)` reaches V8, `send(text)` the client."""

    def __init__(
        self,
        client: int,
        dispatch: Callable[[str], None],
        send: Callable[[str], None],
        host: Host,
        hide_internals: Callable[[bool], None],
    ) -> None:
        self.client = client
        self.host = host
        self.hide_internals = hide_internals
        self._dispatch = dispatch
        self._send = send
        self._numbers = itertools.count(1)
        self._results: dict[int, Params] = {}
        self._later: dict[int, tuple[int, Callable[[Params], Params]]] = {}
        self.console = console.State()
        self.debugger = debugger.State()
        self.heap = heap.State()
        self.profiler = script_profiler.State()
        self.runtime = runtime.State()
        self.enabled: set[str] = set()
        """Domains that the client has enabled."""

    # --- the client

    def handle(self, text: str) -> None:
        """Carry out a command and answer it."""
        number: object = None
        try:
            message = _read(text)
            number = message.get("id")
            result = self._carry_out(message)
            if isinstance(result, Later):
                self._ask_later(result, number)
                return
            self._send(json.dumps({"result": result or {}, "id": number}))
        except ProtocolError as error:
            self._send(json.dumps({"error": error.answer(), "id": number}))

    def _carry_out(self, message: Params) -> Params | Later | None:
        method = message.get("method")
        if not isinstance(method, str) or not isinstance(message.get("id"), int):
            raise ProtocolError("Message must have an integer 'id' and a string 'method'", INVALID_REQUEST)
        name, _, command_name = method.partition(".")
        domain = DOMAINS.get(name)
        if domain is None:
            raise ProtocolError(f"'{name}' domain was not found", METHOD_NOT_FOUND)
        command = domain.commands.get(command_name)
        if command is None:
            raise ProtocolError(f"'{method}' was not found", METHOD_NOT_FOUND)
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        command.check(method, params)
        return command.handler(self, params)

    def restart(self, domain: str) -> None:
        """Enable a domain that V8 has enabled before the client's dialect was known, so that its events come again."""
        if domain != "Inspector":
            self.ask("Runtime.disable" if domain == "Console" else f"{domain}.disable")
        DOMAINS[domain].commands["enable"].handler(self, {})

    def emit(self, method: str, params: Params | None = None) -> None:
        """Send an event to the client."""
        message: Params = {"method": method}
        if params is not None:
            message["params"] = params
        self._send(json.dumps(message))

    # --- V8

    def ask(self, method: str, **params: Any) -> Params:
        """Send a command to V8 and return its result. Raises ProtocolError with V8's message."""
        number = next(self._numbers)
        self._dispatch(json.dumps({"id": number, "method": method, "params": params}))
        answer = self._results.pop(number, None)
        if answer is None:
            raise ProtocolError("The program has ended")
        if "error" in answer:
            raise ProtocolError(answer["error"]["message"])
        result: Params = answer["result"]
        return result

    def _ask_later(self, later: Later, client_number: object) -> None:
        number = next(self._numbers)
        assert isinstance(client_number, int)
        self._later[number] = client_number, later.translate
        self._dispatch(json.dumps({"id": number, "method": later.method, "params": later.params}))

    def hear(self, text: str) -> None:
        """Translate a message of V8: a result that a handler waits for, or an event."""
        message = json.loads(text)
        if "id" not in message:
            for listener in _LISTENERS.get(message["method"], ()):
                listener(self, message.get("params", {}))
            return
        number = message["id"]
        if number not in self._later:
            self._results[number] = message
            return
        client_number, translate = self._later.pop(number)
        if "error" in message:
            answer: Params = {"error": ProtocolError(message["error"]["message"]).answer()}
        else:
            answer = {"result": translate(message["result"])}
        self._send(json.dumps({**answer, "id": client_number}))


def _read(text: str) -> Params:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise ProtocolError("Message must be in JSON format", PARSE_ERROR) from None
    if not isinstance(message, dict):
        raise ProtocolError("Message must be a JSONified object", INVALID_REQUEST)
    return message
