"""V8's inspector, for the program's own sessions (`node:inspector`): messages of its protocol in and out, as JSON."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

RESUME = '{"id":2147483647,"method":"Debugger.resume"}'


def operations(host: Host) -> dict[str, Any]:
    sessions: dict[int, _native.InspectorSession] = {}
    inspectors: list[_native.Inspector] = []

    def on_pause() -> None:
        # Who debugs runs on this very thread: nobody could ever say that it goes on.
        for session in list(sessions.values()):
            session.dispatch(RESUME)

    def connect(on_message: _native.JsFunction) -> int:
        if not inspectors:
            inspectors.append(_native.Inspector(host.engine, on_pause))
        number = max(sessions, default=0) + 1
        sessions[number] = inspectors[0].connect(on_message)
        return number

    def dispatch(number: int, message: str) -> None:
        sessions[number].dispatch(message)

    def disconnect(number: int) -> None:
        sessions.pop(number).close()

    return {
        "connect": connect,
        "dispatch": (dispatch, "vs"),
        "disconnect": disconnect,
        "pump": host.engine.pump,  # what V8 answers in a task of its own
    }
