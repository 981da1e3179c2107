"""Pauses: their reasons and frames, and which of them a client sees.

A pause that is not the client's (a `debugger` statement that it ignores, a breakpoint that goes on by itself) is left before
the client hears of it. As in JavaScriptCore, `resumed` follows a step only if the program runs on.
"""

from __future__ import annotations

from ..pauses import BREAK_REASON, MICROTASK
from .positions import location, stack_trace
from .remote_objects import remote_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .debugger import State
    from .session import JscSession
    from .table import Params

_SCOPES = {
    "local": "closure",
    "closure": "closure",
    "eval": "closure",
    "module": "closure",
    "block": "nestedLexical",
    "catch": "catch",
    "with": "with",
    "script": "globalLexicalEnvironment",
    "global": "global",
    "wasm-expression-stack": "nestedLexical",
}


def paused(session: JscSession, params: Params) -> None:
    """V8 has paused the program."""
    state = session.debugger
    state.is_paused = True
    state.pauses += 1
    reason, data, stays = _reason(session, params)
    if not stays:
        _leave(session, state.step or "Debugger.resume")
        return
    state.is_shown = True
    state.step, state.holds_resumed, state.wants_pause, state.assertion = "", False, False, ""
    event: Params = {"callFrames": [_call_frame(state, frame) for frame in params["callFrames"]], "reason": reason}
    if data is not None:
        event["data"] = data
    if "asyncStackTrace" in params:
        event["asyncStackTrace"] = stack_trace(params["asyncStackTrace"])
    session.emit("Debugger.paused", event)


def _leave(session: JscSession, method: str) -> None:
    """End a pause that the client does not see."""
    session.debugger.is_shown = False

    def leave() -> None:
        session.ask(method)

    session.host.call_in_pause(leave)


def _reason(session: JscSession, params: Params) -> tuple[str, Params | None, bool]:
    """Return the reason of a pause, its data, and whether the program stays paused for the client."""
    state, reason = session.debugger, params["reason"]
    hits = params.get("hitBreakpoints", ())
    stays = False
    result: tuple[str, Params] | None = None
    for number in hits:
        for symbolic in state.symbolic.values():
            if number in symbolic.ids and symbolic.options.hit(session, params):
                stays, result = True, ("FunctionCall", {"name": symbolic.ids[number]})
        options = state.breakpoints.get(number)
        if options is not None and options.hit(session, params):
            stays, result = True, ("Breakpoint", {"breakpointId": number})
    if result is not None:
        return *result, stays
    if reason == MICROTASK:
        return "Microtask", None, True
    if reason in ("exception", "promiseRejection"):
        return "exception", remote_object(params["data"]), True
    if state.assertion:
        return "assert", {"message": state.assertion}, True
    if reason == "assert":
        return "assert", None, True
    if BREAK_REASON in reason:
        return "DebuggerStatement", None, True
    if hits:
        return "other", None, False
    if not state.step and _is_at_statement(session, params["callFrames"][0]["location"]):
        return "DebuggerStatement", None, state.breaks_at_statements
    if state.wants_pause:
        return "PauseOnNextStatement", None, True
    return "other", None, True


def _is_at_statement(session: JscSession, place: Params) -> bool:
    """Whether a place is that of a `debugger` statement."""
    state = session.debugger
    if state.source[0] != place["scriptId"]:
        answer = session.ask("Debugger.getScriptSource", scriptId=place["scriptId"])
        state.source = place["scriptId"], answer.get("scriptSource", "")
    source, start = state.source[1], 0
    for _ in range(place["lineNumber"]):
        start = source.find("\n", start) + 1
    return source.startswith("debugger", start + place.get("columnNumber", 0))


def _call_frame(state: State, frame: Params) -> Params:
    scopes = [_scope(scope) for scope in frame["scopeChain"]]
    return {
        "callFrameId": frame["callFrameId"],
        "functionName": frame["functionName"] or _code_name(state, frame),
        "location": location(frame["location"]),
        "scopeChain": scopes,
        "this": remote_object(frame["this"]),
        "isTailDeleted": False,
    }


def _code_name(state: State, frame: Params) -> str:
    """Return JavaScriptCore's name for code outside of functions; "" for a function without a name."""
    kinds = {scope["type"] for scope in frame["scopeChain"]}
    if "local" in kinds:
        return ""
    if frame["location"]["scriptId"] in state.modules:
        return "module code"
    return "eval code" if "eval" in kinds else "global code"


def _scope(scope: Params) -> Params:
    value = {**remote_object(scope["object"]), "className": "DebuggerScope", "description": "DebuggerScope"}
    result: Params = {"object": value, "type": _SCOPES.get(scope["type"], "closure")}
    if scope.get("name"):
        result["name"] = scope["name"]
    if "startLocation" in scope:
        result["location"] = location(scope["startLocation"])
    return result


def resumed(session: JscSession, _params: Params) -> None:
    """The program runs again."""
    state = session.debugger
    was_shown = state.is_shown
    state.is_paused = state.is_shown = False
    if state.step:
        state.holds_resumed = True
        session.host.call_when_idle(lambda: _release_resumed(session))
    elif was_shown and not state.holds_resumed:
        session.emit("Debugger.resumed")


def _release_resumed(session: JscSession) -> None:
    """The program runs on after a step that has not led to a pause."""
    state = session.debugger
    if state.holds_resumed and not state.is_paused:
        state.holds_resumed, state.step = False, ""
        session.emit("Debugger.resumed")
