"""Options of breakpoints that V8 does not have, except for the condition: hits to ignore, actions, and automatic continuation.

V8 pauses; this module executes the actions in the top frame and decides whether the client sees the pause.
"""

from __future__ import annotations

import json
import re
import time

from ..internal_scripts import INTERNAL
from . import console
from .remote_objects import remote_object
from .table import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .session import JscSession
    from .table import Params

ACTION_TYPES = ("log", "evaluate", "sound", "probe")
# A function with a name in a source text; the last character of a match opens its parameters.
_FUNCTION = re.compile(
    r"\bfunction\s*\*?\s*(?P<declared>[\w$]+)\s*\("
    r"|(?P<assigned>[\w$#]+)\s*[=:]\s*(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*)?\("
    r"|(?P<method>[\w$#]+)\s*\((?=[^()]*(?:\([^()]*\)[^()]*)*\)\s*\{)"
)
_KEYWORDS = frozenset(("if", "for", "while", "switch", "catch", "with", "function", "return", "await", "super"))


class Options:
    """The options of one breakpoint."""

    def __init__(self, given: Params) -> None:
        self.condition: str = given.get("condition", "")
        self.actions: list[Params] = given.get("actions", [])
        self.auto_continues = bool(given.get("autoContinue"))
        self._ignored = int(given.get("ignoreCount", 0))
        for action in self.actions:
            if not isinstance(action, dict) or action.get("type") not in ACTION_TYPES:
                kind = action.get("type") if isinstance(action, dict) else action
                raise ProtocolError(f"Unknown breakpoint action type: {kind}")

    def hit(self, session: JscSession, params: Params) -> bool:
        """Carry out the actions; return whether the program stays paused. `params` are V8's of the pause."""
        if self._ignored > 0:
            self._ignored -= 1
            return False
        for action in self.actions:
            _carry_out(session, action, params["callFrames"][0]["callFrameId"], params)
        return not self.auto_continues


def _carry_out(session: JscSession, action: Params, frame: str, params: Params) -> None:
    data = action.get("data", "")
    if action["type"] == "sound":
        session.emit("Debugger.playBreakpointActionSound", {"breakpointActionId": action.get("id", 0)})
        return
    expression = f"`{data}`" if action["type"] == "log" else data
    answer = session.ask("Debugger.evaluateOnCallFrame", callFrameId=frame, expression=expression, generatePreview=True)
    value = answer.get("exceptionDetails", {}).get("exception", answer["result"])
    if action["type"] == "log":
        text = str(value.get("value", value.get("description", "")))
        trace = {"callFrames": [_console_frame(session, each) for each in params["callFrames"]]}
        console.message(session, {"source": "javascript", "level": "log", "text": text}, trace)
    elif action["type"] == "probe":
        state = session.debugger
        state.samples += 1
        sample = {
            "probeId": action.get("id", 0),
            "sampleId": state.samples,
            "batchId": state.pauses,
            "timestamp": time.monotonic() - state.started_s,
            "payload": remote_object(value),
        }
        session.emit("Debugger.didSampleProbe", {"sample": sample})


def _console_frame(session: JscSession, frame: Params) -> Params:
    place = frame["location"]
    return {
        "functionName": frame["functionName"],
        "url": session.debugger.scripts.get(place["scriptId"], INTERNAL),
        "scriptId": place["scriptId"],
        "lineNumber": place["lineNumber"],
        "columnNumber": place.get("columnNumber", 0),
    }


class SymbolicBreakpoint:
    """A breakpoint on the functions of a name: places at which V8 breaks, in every script."""

    def __init__(self, params: Params) -> None:
        self.key = key_of(params)
        self.options = Options(params.get("options", {}))
        self.ids: dict[str, str] = {}
        """V8's breakpoints, and the names of their functions."""
        symbol = params["symbol"] if params.get("isRegex") else re.escape(params["symbol"])
        flags = 0 if params.get("caseSensitive", True) else re.IGNORECASE
        try:
            self._pattern = re.compile(symbol, flags)
        except re.error as error:
            raise ProtocolError(f"Invalid regular expression: {error}") from None
        self._is_regex = bool(params.get("isRegex"))

    def add_to(self, session: JscSession, script: str) -> None:
        """Break on the functions in a script that have the name."""
        source = session.ask("Debugger.getScriptSource", scriptId=script)["scriptSource"]
        for name, offset in _functions(source):
            if not (self._pattern.search(name) if self._is_regex else self._pattern.fullmatch(name)):
                continue
            line = source.count("\n", 0, offset)
            column = offset - (source.rfind("\n", 0, offset) + 1)
            start = {"scriptId": script, "lineNumber": line, "columnNumber": column}
            condition = {"condition": self.options.condition} if self.options.condition else {}
            try:
                found = session.ask("Debugger.getPossibleBreakpoints", start=start, restrictToFunction=True)[
                    "locations"
                ]
                if not found:
                    continue
                place = {key: found[0][key] for key in ("scriptId", "lineNumber", "columnNumber")}
                added = session.ask("Debugger.setBreakpoint", location=place, **condition)
            except ProtocolError:
                continue  # another breakpoint is there, or V8 has optimised the function away
            self.ids[added["breakpointId"]] = name

    def remove(self, session: JscSession) -> None:
        for number in self.ids:
            session.ask("Debugger.removeBreakpoint", breakpointId=number)


def key_of(params: Params) -> str:
    """Return what distinguishes a symbolic breakpoint from others."""
    return json.dumps([params["symbol"], params.get("caseSensitive", True), params.get("isRegex", False)])


def _functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the names of the functions in a source text and the offsets of their first parameters."""
    for match in _FUNCTION.finditer(source):
        name = match["declared"] or match["assigned"] or match["method"]
        if name not in _KEYWORDS:
            yield name, match.end()
