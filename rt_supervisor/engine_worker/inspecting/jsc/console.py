"""The domain Console: what the program writes to its console, and the errors that end it."""

from __future__ import annotations

import time

from .positions import stack_trace, to_name
from .remote_objects import remote_object
from .table import Command, Domain, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params

# V8's type of a call -> the type and level of the message.
_KINDS = {
    "log": ("log", "log"),
    "info": ("log", "info"),
    "debug": ("log", "debug"),
    "warning": ("log", "warning"),
    "error": ("log", "error"),
    "assert": ("assert", "error"),
    "dir": ("dir", "log"),
    "dirxml": ("dirxml", "log"),
    "table": ("table", "log"),
    "trace": ("trace", "log"),
    "clear": ("clear", "log"),
    "startGroup": ("startGroup", "log"),
    "startGroupCollapsed": ("startGroupCollapsed", "log"),
    "endGroup": ("endGroup", "log"),
    "count": ("log", "debug"),
    "timeEnd": ("timing", "debug"),
    "profile": ("profile", "log"),
    "profileEnd": ("profileEnd", "log"),
}


class State:
    def __init__(self) -> None:
        self.clears = True
        """Whether `console.clear()` clears the client's console."""


def _enable(session: JscSession, _params: Params) -> None:
    session.enabled.add("Console")
    session.ask("Runtime.disable")
    session.ask("Runtime.enable")  # reports earlier messages first


def _disable(session: JscSession, _params: Params) -> None:
    session.enabled.discard("Console")


def _clear(session: JscSession, _params: Params) -> None:
    session.ask("Runtime.discardConsoleEntries")
    session.emit("Console.messagesCleared", {"reason": "frontend"})


def _set_clears(session: JscSession, params: Params) -> None:
    session.console.clears = params["enable"]


def _channels(_session: JscSession, _params: Params) -> Params:
    return {"channels": []}


def _text(value: Params) -> str:
    """Return a value as the text of a message."""
    if value["type"] == "object" and value.get("subtype") not in ("null", "error", "array", "regexp", "date"):
        return f"[object {value.get('className') or 'Object'}]"
    return str(value.get("value", value.get("description", value["type"])))


def message(session: JscSession, fields: Params, trace: Params | None) -> None:
    """Report a message; `trace` is V8's stack trace of its place."""
    if "Console" not in session.enabled:
        return
    frames = stack_trace(trace) if trace else {"callFrames": []}
    top = frames["callFrames"][0] if frames["callFrames"] else None
    place = {
        "line": top["lineNumber"] if top else 0,
        "column": top["columnNumber"] if top else 0,
        "url": top["url"] if top else "",
    }
    whole = {"type": "log", **place, "repeatCount": 1, "timestamp": time.time(), **fields}
    if top:
        whole["stackTrace"] = frames
    session.emit("Console.messageAdded", {"message": whole})


def _called(session: JscSession, params: Params) -> None:
    kind, level = _KINDS.get(params["type"], ("log", "log"))
    if kind == "clear" and session.console.clears and "Console" in session.enabled:
        session.emit("Console.messagesCleared", {"reason": "console-api"})
    values = [remote_object(each) for each in (() if kind in ("clear", "endGroup") else params["args"])]
    fields: Params = {"source": "console-api", "level": level, "text": _text(values[0]) if values else "", "type": kind}
    fields["timestamp"] = params["timestamp"] / 1000
    if values:
        fields["parameters"] = values
    message(session, fields, None if kind == "endGroup" else params.get("stackTrace"))
    if kind == "assert":
        session.debugger.failed_assertion(session, fields["text"])


def _thrown(session: JscSession, params: Params) -> None:
    details = params["exceptionDetails"]
    value = remote_object(details["exception"]) if "exception" in details else None
    text = str(value.get("description", value.get("value"))) if value else details["text"]
    fields: Params = {"source": "javascript", "level": "error", "text": text}
    fields["timestamp"] = params["timestamp"] / 1000
    if value is not None:
        fields["parameters"] = [value]
    place = {"line": details["lineNumber"] + 1, "column": details["columnNumber"] + 1}
    url = to_name(details.get("url", ""))
    message(session, {**fields, **place, "url": url}, details.get("stackTrace"))
    if "LifecycleReporter" in session.enabled:
        frames = stack_trace(details["stackTrace"])["callFrames"] if "stackTrace" in details else []
        session.emit(
            "LifecycleReporter.error",
            {
                "message": text.partition(": ")[2] or text,
                "name": value.get("className", "Error") if value else "Error",
                "urls": [frame["url"] for frame in frames] or [url],
                "lineColumns": [each for frame in frames for each in (frame["lineNumber"], frame["columnNumber"])],
                "sourceLines": [],
            },
        )


DOMAIN = Domain(
    {
        "enable": Command(_enable),
        "disable": Command(_disable),
        "clearMessages": Command(_clear),
        "setConsoleClearAPIEnabled": Command(_set_clears, enable="Boolean"),
        "getLoggingChannels": Command(_channels),
        "setLoggingChannelLevel": Command(refuse("Not supported"), source="String", level="String"),
    },
    {"Runtime.consoleAPICalled": _called, "Runtime.exceptionThrown": _thrown},
)
