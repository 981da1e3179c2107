"""One connected client: it speaks the Chrome DevTools Protocol, or JavaScriptCore's dialect of it.

    undecided --a command that only JavaScriptCore has--> jsc
       `------a command that only CDP has-----------------> cdp

Commands that both have (`Runtime.enable`) leave the question open; until it is answered, messages are CDP's.

A client of either dialect does not see the runtime's own scripts. V8 steps over those that it has compiled from source
(`setBlackboxPatterns`), but not over those of the snapshot: a pause in one of them is left before the client hears of it.
"""

from __future__ import annotations

import json
import re

from .internal_scripts import INTERNAL
from .pauses import BREAK_REASON, MICROTASK
from .protocol import CDP_COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from ... import _native
    from .jsc.session import Host, JscSession
    from .jsc.table import Params

    Dialect: TypeAlias = Literal["undecided", "cdp", "jsc"]

_INTERNAL_PATTERN = f"^{INTERNAL}"
_INTERNAL_SCRIPT = re.compile(rf'\{{"method":"Debugger\.scriptParsed","params":\{{"scriptId":"(\d+)","url":"{INTERNAL}')
_OWN_NUMBER = 2147483646  # of commands that this sends for itself
_OWN_ANSWER = f'{{"id":{_OWN_NUMBER},'
_PAUSED = '{"method":"Debugger.paused"'
_RESUMED = '{"method":"Debugger.resumed"'
# The client's last command that lets the program run.
_MOVE = re.compile(r'"Debugger\.(resume|pause|step(?:Into|Over|Out)|continueToLocation)"')
_LONGEST_MOVE = 400  # characters of a message that is one
_KEPT_REASONS = ("exception", "promiseRejection", "OOM", "instrumentation")


class FrontEnd:
    """A client and its V8 session. `connect(on_message)` opens the session; `send(text)` reaches the client."""

    def __init__(
        self,
        client: int,
        connect: Callable[[Callable[[str], None]], _native.InspectorSession],
        send: Callable[[str], None],
        host: Host,
    ) -> None:
        self._client = client
        self._send = send
        self._host = host
        self._dialect: Dialect = "undecided"
        self._jsc: JscSession | None = None
        self._enabled: list[str] = []  # while undecided
        self._internal_scripts: set[str] = set()  # their ids
        self._hides = True  # the runtime's scripts
        self._move = ""  # the client's last command that lets the program run
        self._leaves = False  # a pause that the client has not heard of
        self._seeks = ""  # the reason of the pause at the next function that is the program's
        self.session = connect(self._hear)

    def handle(self, text: str) -> None:
        """Pass a message of the client on, in its dialect."""
        if self._dialect == "undecided":
            self._decide(text)
        if self._jsc is not None:
            self._jsc.handle(text)
        else:
            self._handle_cdp(text)

    @property
    def is_jsc(self) -> bool:
        """Whether the client speaks JavaScriptCore's dialect."""
        return self._dialect == "jsc"

    def before_microtask(self) -> None:
        """The reaction of a promise comes next: pause in it."""
        self.session.pause_soon(MICROTASK)

    def report_test(self, event: str, facts: Params) -> None:
        """Report a test of the program; see `Debugging.test`."""
        if self._jsc is not None:
            from .jsc import test_reporter

            test_reporter.report(self._jsc, event, facts)

    def report_reload(self) -> None:
        """Report that changed modules are evaluated again."""
        if self._jsc is not None:
            from .jsc import lifecycle_reporter

            lifecycle_reporter.report_reload(self._jsc)

    def pause_soon(self) -> None:
        """Pause in the next function of the program that is called."""
        self._move = "pause"
        self.session.pause_soon()

    def close(self) -> None:
        self.session.close()

    # --- the dialect

    def _decide(self, text: str) -> None:
        from .jsc.session import COMMANDS

        method = _method_of(text)
        if method in CDP_COMMANDS and method in COMMANDS:
            self._enabled.append(method)
        elif method in COMMANDS or method.startswith("Inspector."):
            self._become_jsc()
        elif method:
            self._dialect = "cdp"

    def _become_jsc(self) -> None:
        from .jsc.session import JscSession

        self._dialect = "jsc"
        self._jsc = JscSession(self._client, self._dispatch, self._send, self._host, self._hide)
        for method in self._enabled:  # V8 reports again what it has reported in the other dialect
            domain, _, command = method.partition(".")
            if command == "enable":
                self._jsc.restart(domain)

    # --- messages to V8

    def _dispatch(self, text: str) -> None:
        if len(text) <= _LONGEST_MOVE and (move := _MOVE.search(text)):
            self._move, self._seeks = move[1], ""
        self.session.dispatch(text)

    def _handle_cdp(self, text: str) -> None:
        if '"Debugger.setBlackboxPatterns"' in text:
            text = _with_own_pattern(text)
        self._dispatch(text)
        if '"Debugger.enable"' in text:
            self._ask("Debugger.setBlackboxPatterns", patterns=[_INTERNAL_PATTERN])

    def _ask(self, method: str, **params: object) -> None:
        """Send a command of this object's to V8; the answer does not matter."""
        self.session.dispatch(json.dumps({"id": _OWN_NUMBER, "method": method, "params": params}))

    def _hide(self, hides: bool) -> None:
        """Hide the runtime's scripts, or show them."""
        self._hides = hides

    # --- messages of V8

    def _hear(self, text: str) -> None:
        if text.startswith(_OWN_ANSWER):
            return
        if script := _INTERNAL_SCRIPT.match(text):
            self._internal_scripts.add(script[1])
            if self._hides:
                return
        elif text.startswith(_PAUSED) and self._hides:
            shown = self._shown_pause(text)
            if shown is None:
                return
            text = shown
        elif text.startswith(_RESUMED) and self._leaves:
            self._leaves = False
            if self._seeks:
                self.session.pause_soon(self._seeks)
            return
        if self._jsc is not None:
            self._jsc.hear(text)
        else:
            self._send(text)

    def _shown_pause(self, text: str) -> str | None:
        """Return a pause without the runtime's frames; None if the program pauses in the runtime, which it then leaves."""
        message = json.loads(text)
        params = message["params"]
        all_frames = params["callFrames"]
        frames = [frame for frame in all_frames if frame["location"]["scriptId"] not in self._internal_scripts]
        callers = self._hide_callers(params.get("asyncStackTrace"))
        if len(frames) == len(all_frames) and not callers:
            self._seeks = ""
            return text
        is_inside = frames[:1] != all_frames[:1]
        is_kept = bool(params.get("hitBreakpoints")) or params["reason"] in _KEPT_REASONS
        if not frames or (is_inside and not is_kept):
            self._leave(params["reason"], has_callers=bool(frames) and params["reason"] != MICROTASK)
            return None
        self._seeks = ""
        params["callFrames"] = frames
        return json.dumps(message)

    def _hide_callers(self, trace: Params | None) -> bool:
        """Remove the runtime's frames from the stacks of asynchronous callers; return whether there are such stacks."""
        has_callers = trace is not None
        while trace is not None:
            trace["callFrames"] = [
                frame for frame in trace["callFrames"] if frame["scriptId"] not in self._internal_scripts
            ]
            trace = trace.get("parent")
        return has_callers

    def _leave(self, reason: str, *, has_callers: bool) -> None:
        """Go on to the caller in the program; without one, to the next function of the program if the client wants that."""
        wants_next = self._move in ("stepInto", "pause") or BREAK_REASON in reason or bool(self._seeks)
        self._leaves = True
        if not has_callers and wants_next and reason != MICROTASK:
            self._seeks = reason
        self._host.call_in_pause(lambda: self._ask("Debugger.stepOut" if has_callers else "Debugger.resume"))


def _method_of(text: str) -> str:
    """Return the method of a message; "" if it has none."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    method = message.get("method") if isinstance(message, dict) else None
    return method if isinstance(method, str) else ""


def _with_own_pattern(text: str) -> str:
    """Return a client's patterns of scripts to step over with that of the runtime's scripts."""
    try:
        message: dict[str, Any] = json.loads(text)
        if message["method"] == "Debugger.setBlackboxPatterns":
            message["params"]["patterns"] = [*message["params"]["patterns"], _INTERNAL_PATTERN]
            return json.dumps(message)
    except (ValueError, LookupError, TypeError, RecursionError):
        pass  # V8 describes what is wrong with the message
    return text
