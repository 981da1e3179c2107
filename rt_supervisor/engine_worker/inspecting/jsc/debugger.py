"""The domain Debugger: scripts, breakpoints, pauses and steps.

    running --V8 pauses--> paused --resume, a step--> running

`pausing` decides which pauses the client sees.
"""

from __future__ import annotations

import time

from ..internal_scripts import INTERNAL
from .breakpoints import Options, SymbolicBreakpoint, key_of
from .pausing import paused, resumed
from .positions import client_pattern, exact_pattern, location, to_name
from .runtime import outcome, saved, value_options
from .table import Command, Domain, ProtocolError, accept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params

_SAME_SYMBOL = "for given symbol, given caseSensitive, and given isRegex"
_EXCEPTION_STATES = ("none", "uncaught", "all")


class State:
    def __init__(self) -> None:
        self.scripts: dict[str, str] = {}
        """The names of the program's scripts by V8's ids."""
        self.modules: set[str] = set()
        self.source = ("", "")
        """The script whose text was needed last, and its text."""
        self.breakpoints: dict[str, Options] = {}
        self.symbolic: dict[str, SymbolicBreakpoint] = {}
        self.is_paused = False
        self.is_shown = False
        """Whether the client sees the pause."""
        self.pauses = 0
        self.samples = 0
        self.started_s = time.monotonic()
        self.breaks_at_statements = False
        self.breaks_at_assertions = False
        self.assertion = ""
        """The text of the failed assertion at which the program is to pause."""
        self.wants_pause = False
        self.step = ""
        """V8's command of the step that has not ended."""
        self.holds_resumed = False
        self.hidden = True
        """Whether the runtime's own scripts are stepped over."""
        self.blackboxed: list[str] = []

    def failed_assertion(self, session: JscSession, text: str) -> None:
        """`console.assert` has failed."""
        if self.breaks_at_assertions:
            self.assertion = text
            session.ask("Debugger.pause")


# --- enabling


def _enable(session: JscSession, _params: Params) -> None:
    if "Debugger" in session.enabled:
        raise ProtocolError("Debugger domain already enabled")
    session.enabled.add("Debugger")
    session.ask("Debugger.enable")
    _apply_blackbox(session)


def _disable(session: JscSession, _params: Params) -> None:
    if "Debugger" not in session.enabled:
        raise ProtocolError("Debugger domain already disabled")
    session.enabled.discard("Debugger")
    session.host.watch_microtasks(session.client, False)
    session.ask("Debugger.disable")
    session.debugger = State()


def _apply_blackbox(session: JscSession) -> None:
    state = session.debugger
    own = [f"^{INTERNAL}"] if state.hidden else []
    session.ask("Debugger.setBlackboxPatterns", patterns=own + state.blackboxed)


# --- scripts


def _script_parsed(session: JscSession, params: Params) -> None:
    url, script, state = params["url"], params["scriptId"], session.debugger
    name = to_name(url)
    state.scripts[script] = name
    if params.get("isModule"):
        state.modules.add(script)
    parsed: Params = {"scriptId": script, "url": name}
    for field in ("startLine", "startColumn", "endLine", "endColumn", "executionContextId"):
        parsed[field] = params[field]
    is_module = params.get("isModule", False)
    parsed |= {"isContentScript": False, "module": is_module, "scriptType": "module" if is_module else "program"}
    if params.get("hasSourceURL") or name:
        parsed["sourceURL"] = name
    if params.get("sourceMapURL"):
        parsed["sourceMapURL"] = params["sourceMapURL"]
    session.emit("Debugger.scriptParsed", parsed)
    for breakpoint in state.symbolic.values():
        if name:
            breakpoint.add_to(session, script)


def _script_failed(session: JscSession, params: Params) -> None:
    source = session.ask("Debugger.getScriptSource", scriptId=params["scriptId"])["scriptSource"]
    fields = {"url": to_name(params["url"]), "scriptSource": source, "startLine": params["startLine"]}
    session.emit(
        "Debugger.scriptFailedToParse", {**fields, "errorLine": params["startLine"] + 1, "errorMessage": "SyntaxError"}
    )


def _get_script_source(session: JscSession, params: Params) -> Params:
    try:
        return {"scriptSource": session.ask("Debugger.getScriptSource", scriptId=params["scriptId"])["scriptSource"]}
    except ProtocolError:
        raise ProtocolError("Missing script for given scriptId") from None


def _search(session: JscSession, params: Params) -> Params:
    options = {name: params[name] for name in ("caseSensitive", "isRegex") if name in params}
    return session.ask("Debugger.searchInContent", scriptId=params["scriptId"], query=params["query"], **options)


def _get_function_details(session: JscSession, params: Params) -> Params:
    answer = session.ask("Runtime.getProperties", objectId=params["functionId"], ownProperties=True)
    places = [each for each in answer.get("internalProperties", ()) if each["name"] == "[[FunctionLocation]]"]
    if not places or "value" not in places[0].get("value", {}):
        raise ProtocolError("Cannot resolve function details.")
    names = [each["value"].get("value", "") for each in answer["result"] if each["name"] == "name" and "value" in each]
    return {"details": {"location": location(places[0]["value"]["value"]), "name": names[0] if names else ""}}


def _get_breakpoint_locations(session: JscSession, params: Params) -> Params:
    found = session.ask("Debugger.getPossibleBreakpoints", start=params["start"], end=params["end"])["locations"]
    return {"locations": [location(each) for each in found]}


# --- breakpoints


def _set_breakpoint_by_url(session: JscSession, params: Params) -> Params:
    if ("url" in params) == ("urlRegex" in params):
        raise ProtocolError("Either url or urlRegex must be specified")
    options = Options(params.get("options", {}))
    pattern = exact_pattern(params["url"]) if "url" in params else client_pattern(params["urlRegex"])
    request: Params = {"urlRegex": pattern, "lineNumber": params["lineNumber"]}
    if "columnNumber" in params:
        request["columnNumber"] = params["columnNumber"]
    if options.condition:
        request["condition"] = options.condition
    answer = _add(session, "Debugger.setBreakpointByUrl", request)
    session.debugger.breakpoints[answer["breakpointId"]] = options
    return {"breakpointId": answer["breakpointId"], "locations": [location(each) for each in answer["locations"]]}


def _set_breakpoint(session: JscSession, params: Params) -> Params:
    place = params["location"]
    if place.get("scriptId") not in session.debugger.scripts:
        raise ProtocolError("Missing script for scriptId in given location")
    options = Options(params.get("options", {}))
    request: Params = {"location": place}
    if options.condition:
        request["condition"] = options.condition
    answer = _add(session, "Debugger.setBreakpoint", request)
    session.debugger.breakpoints[answer["breakpointId"]] = options
    return {"breakpointId": answer["breakpointId"], "actualLocation": location(answer["actualLocation"])}


def _add(session: JscSession, method: str, request: Params) -> Params:
    try:
        return session.ask(method, **request)
    except ProtocolError as error:
        if "already exists" in error.message:
            raise ProtocolError("Breakpoint for given location already exists.") from None
        raise


def _remove_breakpoint(session: JscSession, params: Params) -> None:
    if session.debugger.breakpoints.pop(params["breakpointId"], None) is not None:
        session.ask("Debugger.removeBreakpoint", breakpointId=params["breakpointId"])


def _breakpoint_resolved(session: JscSession, params: Params) -> None:
    if params["breakpointId"] in session.debugger.breakpoints:
        resolved = {"breakpointId": params["breakpointId"], "location": location(params["location"])}
        session.emit("Debugger.breakpointResolved", resolved)


def _add_symbolic_breakpoint(session: JscSession, params: Params) -> None:
    state = session.debugger
    if key_of(params) in state.symbolic:
        raise ProtocolError(f"Symbolic breakpoint {_SAME_SYMBOL} already exists")
    breakpoint = SymbolicBreakpoint(params)
    state.symbolic[breakpoint.key] = breakpoint
    for script, name in list(state.scripts.items()):
        if name:
            breakpoint.add_to(session, script)


def _remove_symbolic_breakpoint(session: JscSession, params: Params) -> None:
    breakpoint = session.debugger.symbolic.pop(key_of(params), None)
    if breakpoint is None:
        raise ProtocolError(f"Missing symbolic breakpoint {_SAME_SYMBOL}")
    breakpoint.remove(session)


def _set_breakpoints_active(session: JscSession, params: Params) -> None:
    session.ask("Debugger.setBreakpointsActive", active=params["active"])


# --- what pauses


def _set_pause_on_exceptions(session: JscSession, params: Params) -> None:
    if params["state"] not in _EXCEPTION_STATES:
        raise ProtocolError(f"Unknown state: {params['state']}")
    session.ask("Debugger.setPauseOnExceptions", state=params["state"])


def _set_pause_on_statements(session: JscSession, params: Params) -> None:
    session.debugger.breaks_at_statements = params["enabled"]


def _set_pause_on_assertions(session: JscSession, params: Params) -> None:
    session.debugger.breaks_at_assertions = params["enabled"]
    if params["enabled"]:
        session.ask("Runtime.enable")  # V8 reports assertions as calls of the console


def _set_pause_on_microtasks(session: JscSession, params: Params) -> None:
    session.host.watch_microtasks(session.client, params["enabled"])


def _set_pause_for_internals(session: JscSession, params: Params) -> None:
    session.debugger.hidden = not params["shouldPause"]
    session.hide_internals(session.debugger.hidden)
    _apply_blackbox(session)


def _set_should_blackbox(session: JscSession, params: Params) -> None:
    pattern = client_pattern(params["url"]) if params.get("isRegex") else exact_pattern(params["url"])
    if params.get("caseSensitive") is False and not params.get("isRegex"):
        pattern = "".join(
            f"[{each.lower()}{each.upper()}]" if each.isalpha() and each.isascii() else each for each in pattern
        )
    patterns = session.debugger.blackboxed
    if params["shouldBlackbox"]:
        patterns.append(pattern)
    elif pattern in patterns:
        patterns.remove(pattern)
    _apply_blackbox(session)


def _set_async_depth(session: JscSession, params: Params) -> None:
    session.ask("Debugger.setAsyncCallStackDepth", maxDepth=params["depth"])


# --- moves


def _require_paused(session: JscSession) -> None:
    if not session.debugger.is_paused:
        raise ProtocolError("Must be paused")


def _pause(session: JscSession, _params: Params) -> None:
    session.debugger.wants_pause = True
    session.ask("Debugger.pause")


def _resume(session: JscSession, _params: Params) -> None:
    if not session.debugger.is_paused:
        raise ProtocolError("Must be paused or waiting to pause")
    session.debugger.step = ""
    session.ask("Debugger.resume")


def _step(method: str) -> Command:
    def handler(session: JscSession, _params: Params) -> None:
        _require_paused(session)
        session.debugger.step = method
        session.ask(method)

    return Command(handler)


def _continue_to(session: JscSession, params: Params) -> None:
    _require_paused(session)
    session.debugger.step = ""
    session.ask("Debugger.continueToLocation", location=params["location"])


def _continue_until_next_turn(session: JscSession, _params: Params) -> None:
    _require_paused(session)

    def pause() -> None:
        session.debugger.wants_pause = True
        session.host.pause_soon(session.client)

    session.host.call_when_idle(pause)
    session.debugger.step = ""
    session.ask("Debugger.resume")


def _evaluate_on_frame(session: JscSession, params: Params) -> Params:
    _require_paused(session)
    options = value_options(params)
    options.pop("userGesture", None)
    answer = session.ask(
        "Debugger.evaluateOnCallFrame", callFrameId=params["callFrameId"], expression=params["expression"], **options
    )
    return saved(session, outcome(answer), params)


DOMAIN = Domain(
    {
        "enable": Command(_enable),
        "disable": Command(_disable),
        "setAsyncStackTraceDepth": Command(_set_async_depth, depth="Integer"),
        "setBreakpointsActive": Command(_set_breakpoints_active, active="Boolean"),
        "setBreakpointByUrl": Command(
            _set_breakpoint_by_url,
            lineNumber="Integer",
            url="String?",
            urlRegex="String?",
            columnNumber="Integer?",
            options="Object?",
        ),
        "setBreakpoint": Command(_set_breakpoint, location="Object", options="Object?"),
        "removeBreakpoint": Command(_remove_breakpoint, breakpointId="String"),
        "addSymbolicBreakpoint": Command(
            _add_symbolic_breakpoint, symbol="String", caseSensitive="Boolean?", isRegex="Boolean?", options="Object?"
        ),
        "removeSymbolicBreakpoint": Command(
            _remove_symbolic_breakpoint, symbol="String", caseSensitive="Boolean?", isRegex="Boolean?"
        ),
        "continueUntilNextRunLoop": Command(_continue_until_next_turn),
        "continueToLocation": Command(_continue_to, location="Object"),
        "stepNext": _step("Debugger.stepOver"),
        "stepOver": _step("Debugger.stepOver"),
        "stepInto": _step("Debugger.stepInto"),
        "stepOut": _step("Debugger.stepOut"),
        "pause": Command(_pause),
        "resume": Command(_resume),
        "searchInContent": Command(
            _search, scriptId="String", query="String", caseSensitive="Boolean?", isRegex="Boolean?"
        ),
        "getScriptSource": Command(_get_script_source, scriptId="String"),
        "getFunctionDetails": Command(_get_function_details, functionId="String"),
        "getBreakpointLocations": Command(_get_breakpoint_locations, start="Object", end="Object"),
        "setPauseOnDebuggerStatements": Command(_set_pause_on_statements, enabled="Boolean", options="Object?"),
        "setPauseOnExceptions": Command(_set_pause_on_exceptions, state="String", options="Object?"),
        "setPauseOnAssertions": Command(_set_pause_on_assertions, enabled="Boolean", options="Object?"),
        "setPauseOnMicrotasks": Command(_set_pause_on_microtasks, enabled="Boolean", options="Object?"),
        "setPauseForInternalScripts": Command(_set_pause_for_internals, shouldPause="Boolean"),
        "setShouldBlackboxURL": Command(
            _set_should_blackbox,
            url="String",
            shouldBlackbox="Boolean",
            caseSensitive="Boolean?",
            isRegex="Boolean?",
            sourceRanges="Array?",
        ),
        "setBlackboxBreakpointEvaluations": Command(accept, blackboxBreakpointEvaluations="Boolean"),
        "evaluateOnCallFrame": Command(
            _evaluate_on_frame,
            callFrameId="String",
            expression="String",
            objectGroup="String?",
            includeCommandLineAPI="Boolean?",
            doNotPauseOnExceptionsAndMuteConsole="Boolean?",
            returnByValue="Boolean?",
            generatePreview="Boolean?",
            saveResult="Boolean?",
            emulateUserGesture="Boolean?",
        ),
    },
    {
        "Debugger.scriptParsed": _script_parsed,
        "Debugger.scriptFailedToParse": _script_failed,
        "Debugger.breakpointResolved": _breakpoint_resolved,
        "Debugger.paused": paused,
        "Debugger.resumed": resumed,
    },
)
