"""Operations of `js/node/process/process.js` and `js/rt/global.js`."""

from __future__ import annotations

import os
import time

from ... import _native
from ..program.problems import SystemCallFailed
from . import process_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    def folder() -> str:
        try:
            return os.getcwd()
        except OSError as error:
            raise SystemCallFailed(error, "uv_cwd") from error

    def set_environment(name: str, value: str | None) -> None:
        """Set the time zone; all other variables exist only in JavaScript."""
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
        time.tzset()
        host.engine.time_zone_changed()

    def collect_garbage(full: bool) -> int:
        host.engine.collect_garbage()
        return host.engine.heap_statistics().get("used_heap_size", 0)

    def which(name: str, path: str, folder: str) -> str | None:
        from ...settings.environment import find_executable, is_executable

        if "/" in name:
            full = os.path.normpath(os.path.join(folder, name))
            return full if is_executable(full) else None
        found = find_executable(name, path)
        return os.path.abspath(found) if found else None

    return {
        **process_identity.operations(host),
        "cwd": folder,
        "setEnv": set_environment,
        "setRawMode": _set_raw_mode,
        "collectGarbage": collect_garbage,
        "which": which,
    }


_usual_modes: dict[int, list[Any]] = {}


def _set_raw_mode(descriptor: int, is_raw: bool) -> None:
    """Switch the terminal to raw mode, or back to lines; its mode is restored when rt ends."""
    import termios
    import tty

    if descriptor not in _usual_modes:
        _usual_modes[descriptor] = termios.tcgetattr(descriptor)
        _native.keep_terminal(descriptor)
    if is_raw:
        tty.setraw(descriptor, termios.TCSADRAIN)
        modes = termios.tcgetattr(descriptor)
        modes[1] |= termios.OPOST
        termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
    else:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, _usual_modes[descriptor])


def restore_terminal() -> None:
    """Restore terminals that a program left in raw mode."""
    if _usual_modes:
        import termios

        for descriptor, modes in _usual_modes.items():
            try:
                termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
            except termios.error:
                continue
