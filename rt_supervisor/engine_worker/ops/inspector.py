"""Operations of `node:inspector`: sessions of the program with its own engine, and the server for front ends."""

from __future__ import annotations

from ..inspecting.listening import CannotListen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import HostWithDebugger


def operations(program: HostWithDebugger) -> dict[str, Any]:
    debugging = program.debugging

    def open_server(port: int | None, host: str | None) -> int | str:
        """Return the port, or an error message if the server cannot listen."""
        default_host, default_port, path = program.options.inspect_address
        chosen = default_port if port is None else port
        try:
            return debugging.open((host or default_host, chosen, path))
        except CannotListen as problem:
            return str(problem)

    return {
        "connect": debugging.connect,
        "connectToMain": debugging.connect_to_main,
        "dispatch": (debugging.dispatch, "vs"),
        "disconnect": debugging.disconnect,
        "pump": program.engine.pump,  # runs the tasks in which V8 replies
        "open": open_server,
        "close": debugging.close,
        "url": lambda: debugging.url,
        "wait": lambda is_new: debugging.wait(is_new=bool(is_new)),
        "thrown": debugging.thrown,
        "beforeFirst": debugging.before_first,
        "beforeMicrotask": debugging.before_microtask,
        "test": (debugging.test, "sc"),
        "resource": (debugging.resources.put, "ss"),
        "network": (debugging.network.report, "ss"),
        "networkData": (debugging.network.add_data, "ssv"),
        "storage": (debugging.storage.report, "ss"),
        "offerStorage": (debugging.storage.offer, "vs"),
        "networkType": (debugging.network.set_type, "sss"),
    }
