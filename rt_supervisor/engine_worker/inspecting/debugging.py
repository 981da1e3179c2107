"""V8's inspector of one engine: its sessions, its server, and what happens during a pause.

Messages of front ends are handled on the engine's thread: in a turn of the loop, at a safe point of running JavaScript, or one
after another while it is paused. If only the program's own sessions are connected, a pause ends at once: they run on the
paused thread and could never resume it.
"""

from __future__ import annotations

import os
import sys
import threading

from ... import NODE_VERSION, _native
from ...settings.inspect_address import socket_of
from ...vocabulary.errors import unreachable
from .banner import UI_VARIABLE, banner, node_lines, warning
from .dom_storage import DomStorage
from .front_end import FrontEnd
from .listening import CannotListen, listen, notify
from .network import Network
from .node_domains import NodeDomains
from .pauses import BREAK_REASON
from .resources import Resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from ...settings.inspect_address import Address
    from ..program.provider import ProgramProvider
    from .main_links import MainLink
    from .worker_links import WorkerHub, WorkerLink

    State: TypeAlias = Literal["closed", "listening", "linked"]

RESUME = '{"id":2147483647,"method":"Debugger.resume"}'
PAGE_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "debugger_page")


class Debugging:
    """The inspector of one engine; made at its first use.

        closed --open--> listening --close, or the program's end--> closed
           `--join (a worker)--> linked --close, or the worker's end--> closed

    Listening, it runs a server; linked, front ends of the main program reach it through the hub.
    """

    def __init__(self, provider: ProgramProvider, name: str = "") -> None:
        self._provider = provider
        called = sys._xoptions.get("rt-argv0", "rt") if provider.options.identity == "node" else "rt"
        self._name = name or f"{called}[{os.getpid()}]"
        self._inspector = _native.Inspector(provider.engine, self._on_pause, self._on_run, name=self._name)
        self._thread = threading.get_ident()
        self._own: dict[int, _native.InspectorSession] = {}
        self._listeners: dict[int, Callable[[str], Any]] = {}  # of own sessions
        self._links: dict[int, MainLink] = {}  # own sessions with the main thread
        self._state: State = "closed"
        self._server: _native.InspectorServer | WorkerLink  # unless closed
        self._clients: dict[int, FrontEnd] = {}
        self._tests: list[dict[str, Any]] = []  # those that were found
        self._pause_actions: list[Callable[[], None]] = []
        self._watchers: set[int] = set()  # clients for which the program pauses at microtasks
        self.resources = Resources(has_files=provider.options.limits is None)
        """What clients can load through the program."""
        self.network = Network(self._send_to_any, self._observe_network, self.resources)
        """The requests of the program, for front ends and the program's own sessions."""
        self.storage = DomStorage(self._send_to_any, self._ask_hook)
        """What localStorage and sessionStorage contain, for the same."""
        self._domains = NodeDomains(self._send_to_any, self.network, self.storage)
        self._url = ""  # while listening
        self._is_wanted_to_run = False
        self._breaks_on_start = False
        self._has_hooks = False
        self._is_following = False  # asynchronous tasks

    # --- the program's own sessions

    def connect(self, on_message: Callable[[str], Any]) -> int:
        self._hook()
        self._provider.loop.waker()  # workers send to the session from their threads
        number = max(self._listeners, default=0) + 1
        self._own[number] = self._inspector.connect(on_message)
        self._listeners[number] = on_message
        return number

    def connect_to_main(self, on_message: _native.JsFunction) -> int:
        """As `connect`, for a session of this worker with the main thread."""
        from .main_links import MainLink

        number = max(self._listeners, default=0) + 1
        self._listeners[number] = on_message
        loop = self._provider.loop

        def deliver(text: str) -> None:
            if number in self._links:  # else the worker is over
                loop.complete(lambda: self._send_in_turn(number, text))

        self._links[number] = MainLink(self._provider.main, deliver)
        return number

    def run_in_turn(self, action: Callable[[], None]) -> None:
        """Carry out a worker's command in a turn of the loop."""
        self._run_idle(action)
        self._provider.entry.invoke("drain")

    def dispatch(self, number: int, message: str) -> None:
        if number in self._links:
            self._links[number].send(message)
        elif not self._domains.answer(-number, message, has_network=True):
            self._own[number].dispatch(message)
            self._follow_tasks()

    def disconnect(self, number: int) -> None:
        del self._listeners[number]
        if number in self._links:
            self._links.pop(number).close()
            return
        self._domains.forget(-number)
        self._own.pop(number).close()
        self._follow_tasks()

    def _send_to_any(self, client: int, text: str) -> None:
        """Send to a front end, or to the program's own session whose number is negated; from any thread."""
        if client > 0:
            self._send(client, text)
        elif threading.get_ident() == self._thread:
            self._send_to_own(-client, text)
        else:
            self._provider.loop.complete(lambda: self._send_in_turn(-client, text))

    def _send_to_own(self, number: int, text: str) -> None:
        if listener := self._listeners.get(number):
            listener(text)

    def _send_in_turn(self, number: int, text: str) -> None:
        self._send_to_own(number, text)
        self._provider.entry.invoke("drain")

    def _observe_network(self, then: Callable[[], None]) -> None:
        """Make JavaScript observe requests if a client wants that, or no longer, and call `then`."""

        def observe() -> None:
            self._call_hook("observeNetwork", self.network.is_used)
            then()

        self._when_callable(observe)

    # --- workers

    @property
    def hub(self) -> WorkerHub:
        """Connects workers of this program with the front ends of the main one."""
        return self._domains.hub

    def close_links(self) -> None:
        """Close the sessions with the main thread at the end of this worker."""
        for number in list(self._links):
            self.disconnect(number)

    def join(self, hub: WorkerHub, number: int, name: str, *, is_running: bool = False) -> None:
        """Let front ends of the main program debug this worker; wait for them if they require it, unless it runs already."""
        from .worker_links import WorkerLink

        self._domains.hub = hub  # for the workers of this worker, too
        self._provider.loop.waker()
        self._hook()
        self._server = link = WorkerLink(
            hub, number, name, f"file://{self._provider.options.entry}", self._handle_arrival
        )
        self._state = "linked"
        if hub.join(link) and not is_running:
            self._take_all()
            self.wait(is_new=True)
            self._breaks_on_start = bool(
                self._provider.options.entry
            )  # code that is evaluated does not pause, as in Node

    def give_up(self) -> None:
        """Stop waiting for front ends, because the worker is to end; from any thread."""
        match self._state:
            case "linked" | "listening":
                if isinstance(self._server, _native.InspectorServer):
                    self._server.close()
                else:
                    self._server.give_up()
            case "closed":
                pass
            case other:
                unreachable(other)

    # --- the server

    @property
    def url(self) -> str | None:
        """The URL that front ends connect to; None while the server does not listen."""
        return self._url or None

    def open(self, address: Address) -> int:
        """Listen for front ends, or connect to the one at a socket, and print the address; return the port (0: none).

        Raises CannotListen.
        """
        options = self._provider.options
        self._is_wanted_to_run = False
        # first: JavaScript that runs below may be interrupted to open the server, too
        server = self._server = listen(
            address,
            is_shared=options.inspect_is_shared,
            name="\n".join((options.folder, options.entry, options.environment.get("npm_lifecycle_event", ""))),
        )
        self._state = "listening"
        host, _, path = address
        socket = socket_of(address)
        if not path and not socket:
            import uuid

            path = str(uuid.uuid4())
        name = f"[{host}]" if ":" in host and not host.startswith("[") else host
        place = f"{name}:{server.port}"
        self._provider.loop.waker()  # from now on it can be woken
        self._provider.keep_maps()
        self._hook()
        from .protocol import protocol_text

        main = options.entry
        server.start(
            self._handle_arrival,
            local=place,
            path=path,
            title=os.path.relpath(main, options.folder) if main else self._name,
            url=f"file://{main}" if main else "file://",
            browser=f"node.js/v{NODE_VERSION}",
            protocol=protocol_text(),
            assets=PAGE_FOLDER,
            is_listed="http" in options.inspect_publish,
        )
        self._url = host if socket else f"ws://{place}/{path}"
        if not socket:
            self._announce_port(server.port)
        ui = options.inspect_ui or options.environment.get(UI_VARIABLE, "")
        if options.inspect_notify:
            notify(options.inspect_notify)
        elif not socket:
            lines = node_lines(self._url) if options.inspect_as_node else banner(self._url, ui)
            self._say(warning(host) + (lines if "stderr" in options.inspect_publish else ""))
        return server.port

    def wait(self, *, is_new: bool = False) -> None:
        """Wait until a front end sends `Runtime.runIfWaitingForDebugger`. With `is_new`, one that has sent it since this listens
        or is linked counts: it can connect before this waits.
        """
        if not is_new:
            self._is_wanted_to_run = False
        self._domains.wait(True)
        self._provider.output.flush()
        while not self._is_wanted_to_run and self._run_idle(self._next):
            pass
        self._domains.wait(False)

    def listen(self) -> None:
        """Listen at the address that flags give, unless it listens already; if it cannot, print why and go on, as Node does."""
        if self._state == "closed":
            try:
                self.open(self._provider.options.inspect_address)
            except CannotListen as problem:
                self._say(f"{problem}\n")

    def begin(self) -> None:
        """Listen and wait as flags say, before the program runs; if it cannot listen, the program runs anyway, as in Node."""
        options = self._provider.options
        self.listen()
        if self._state == "closed":
            return
        if options.inspect != "on":
            self.wait(is_new=True)
        self._breaks_on_start = options.inspect == "break"

    def ready_to_run(self) -> None:
        """The main module comes next: preloads have run."""
        if self._breaks_on_start:
            self._call_hook("breakOnStart")

    def before_first(self) -> None:
        """The next statement is the program's first one; pause there if flags require it."""
        if self._breaks_on_start:
            self._breaks_on_start = False
            for front_end in self._clients.values():
                front_end.session.pause_soon(BREAK_REASON)

    def close(self) -> None:
        """Disconnect all front ends and stop listening."""
        if self._state == "closed":
            return
        self._state, self._url = "closed", ""
        self._server.close()
        for client in list(self._clients):
            self._forget(client)

    def end(self) -> None:
        """The program is over: keep it for front ends until they disconnect."""
        if self._state == "closed":
            return
        if not isinstance(self._server, _native.InspectorServer):
            self._domains.report_end()
            while self._domains.awaits_leave() and self._run_idle(self._next):
                pass
            self._inspector.end_context()
        elif self._clients:
            self._server.stop_listening()
            self._say("Waiting for the debugger to disconnect...\n")
            self._domains.report_end()
            while self._keeps_context() and self._run_idle(self._next):
                pass
            self._inspector.end_context()
            while self._clients and self._run_idle(self._next):
                pass
        self.close()

    def _keeps_context(self) -> bool:
        """Whether a client uses the program after its end: one that Node's `notifyWhenWaitingForDisconnect` requires, or one of
        JavaScriptCore's dialect, as in Bun.
        """
        return self._domains.awaits_leave() or any(each.is_jsc for each in self._clients.values())

    def report_reload(self) -> None:
        """`--hot` is about to evaluate changed modules again."""
        for front_end in self._clients.values():
            front_end.report_reload()

    def thrown(self, value: Any, detail: str) -> None:
        """Report an error that ends the program to front ends."""
        if self._clients:
            self._inspector.exception_thrown(value, detail)

    # --- what front ends say

    def _handle_arrival(self) -> None:
        """Make the engine's thread handle what has arrived; called on the server's thread."""
        self._provider.engine.interrupt(self._take_all)
        self._provider.loop.complete(self._take_in_turn)

    def _take_in_turn(self) -> None:
        self._run_idle(self._take_all)
        self._provider.entry.invoke("drain")

    def _run_idle(self, work: Callable[[], Any]) -> Any:
        """Return the result of `work`, in which front ends evaluate code, for a program that does not run.

        A front end that ends such code, and thereby `work`, has no other effect: `work` is called again.
        """
        while True:
            try:
                return work()
            except _native.JsStopped:
                pass

    def _take_all(self) -> None:
        while self._state != "closed" and (event := self._server.take()) is not None:
            self._handle(*event)

    def _next(self) -> bool:
        """Wait for one event of a front end and handle it; return whether more can come."""
        event = None if self._state == "closed" else self._server.take(wait=True)
        if event is not None:
            self._handle(*event)
        return event is not None

    def _handle(self, kind: str, client: int, text: str) -> None:
        if kind == "connected":
            send = lambda message: self._send(client, message)  # noqa: E731
            self._clients[client] = FrontEnd(client, self._inspector.connect, send, self)
            if self._state != "linked":
                self._say("Debugger attached.\n")
        elif kind == "disconnected":
            self._forget(client)
        elif (front_end := self._clients.get(client)) and not self._domains.answer(
            client, text, has_network=not front_end.is_jsc
        ):
            front_end.handle(text)
            self._follow_tasks()

    def _forget(self, client: int) -> None:
        self._domains.forget(client)
        self.watch_microtasks(client, False)
        if client in self._clients:
            self._clients.pop(client).close()
            self._follow_tasks()

    def _send(self, client: int, message: str) -> None:
        if self._state != "closed":
            self._server.send(client, message)

    # --- what JavaScriptCore's dialect needs of the program

    def call_in_pause(self, action: Callable[[], None]) -> None:
        self._pause_actions.append(action)

    def pause_soon(self, client: int) -> None:
        self._clients[client].pause_soon()

    def call_when_idle(self, action: Callable[[], None]) -> None:
        self._provider.loop.complete(action)

    def module_graph(self) -> dict[str, Any]:
        options = self._provider.options
        argv = [options.executable, *([options.entry] if options.entry else []), *options.arguments]
        return {"cwd": options.folder, "main": options.entry, "argv": argv}

    def watch_microtasks(self, client: int, is_watched: bool) -> None:
        before = bool(self._watchers)
        (self._watchers.add if is_watched else self._watchers.discard)(client)
        if bool(self._watchers) != before:
            self._when_callable(lambda: self._call_hook("watchMicrotasks", bool(self._watchers)))

    def before_microtask(self) -> None:
        """The reaction of a promise comes next; called by JavaScript."""
        for client in self._watchers:
            self._clients[client].before_microtask()

    def test(self, event: str, facts: dict[str, Any]) -> None:
        """A test of the program was "found", has reached its "start" or its "end"; called by JavaScript."""
        if event == "found":
            self._tests.append(facts)
        for front_end in self._clients.values():
            front_end.report_test(event, facts)

    def found_tests(self) -> list[dict[str, Any]]:
        return self._tests

    # --- what V8 says

    def _on_pause(self) -> None:
        self._provider.output.flush()
        if self._pause_actions:
            actions, self._pause_actions = self._pause_actions, []
            for action in actions:
                action()
            return
        if self._clients and self._next():
            while self._provider.engine.pump():  # V8 answers some commands in a task
                pass
            return
        for session in list(self._own.values()):
            session.dispatch(RESUME)
        self._inspector.resume_paused()

    def _on_run(self) -> None:
        self._is_wanted_to_run = True

    # --- the rest

    def _hook(self) -> None:
        """Forward the console and uncaught errors to front ends."""

        def hook() -> None:
            if self._has_hooks:
                return
            require = self._call_hook("hook")
            self._has_hooks = True
            assert isinstance(require, _native.JsFunction)
            self._inspector.set_require(require)

        self._when_callable(hook)

    def _follow_tasks(self) -> None:
        """Report the program's asynchronous tasks to V8 while a client wants to see the asynchronous callers of a stack."""
        follows = self._inspector.follows_tasks
        if follows != self._is_following:
            self._is_following = follows
            self._when_callable(lambda: self._call_hook("followTasks", follows))

    def _announce_port(self, port: int) -> None:
        self._when_callable(lambda: self._call_hook("listens", port))

    def _call_hook(self, name: str, *values: Any) -> Any:
        """Call a function of `js/node/inspector/hooks.js`, also while the program's JavaScript is interrupted."""
        return self._inspector.invoke(self._provider.entry, "inspecting", name, *values)

    def _ask_hook(self, name: str, value: object, then: Callable[[Any], None]) -> None:
        self._when_callable(lambda: then(self._call_hook(name, value)))

    def _when_callable(self, action: Callable[[], None]) -> None:
        """Call `action`, which calls hooks: at once, or in the next turn if an interrupt came while the runtime loads a file of
        its own, because the hooks may need that file.
        """
        if self._inspector.invoke(self._provider.entry, "isLoading"):
            self._provider.loop.complete(lambda: self._when_callable(action))
        else:
            action()

    def _say(self, text: str) -> None:
        self._provider.output.write(2, text)
        self._provider.output.flush()
