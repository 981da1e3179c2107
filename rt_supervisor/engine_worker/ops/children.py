"""What `js/child_process.js` asks of the host: run a program to its end while JavaScript waits."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import Any

    from ..worker import EngineWorker

PIPE, IGNORE, INHERIT = "pipe", "ignore", "inherit"


def operations(worker: EngineWorker) -> dict[str, Any]:
    def run(arguments: dict[str, Any], given: bytes) -> dict[str, Any]:
        """Run a program; return pid, status or signal, output, and `error` (an errno's name and number).

        `arguments`: file, argv (with the zeroth), environment, folder or None, stdio (three words or descriptors),
        timeout in ms (0: none), most bytes of output (negative: any number), the number of the signal that ends it.
        """
        import errno
        import subprocess

        worker.output.flush()
        streams = [_stream(word) for word in arguments["stdio"]]
        has_input = streams[0] == subprocess.PIPE
        try:
            process = subprocess.Popen(
                arguments["argv"],
                executable=_located(arguments["file"], arguments["environment"]),
                env=arguments["environment"],
                cwd=arguments["folder"] or None,
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
            )
        except OSError as error:
            number = error.errno or errno.ENOENT
            return {"error": [errno.errorcode.get(number, "UNKNOWN"), number], "pid": 0}
        with process:
            failure = _communicate(process, given if has_input else None, arguments)
        status = process.returncode
        return {
            "pid": process.pid,
            "status": status if status >= 0 else None,
            "signal": -status if status < 0 else 0,
            "stdout": failure.out,
            "stderr": failure.err,
            "error": [errno.errorcode[failure.number], failure.number] if failure.number else None,
        }

    return {"run": (run, "cb")}


class _Outcome:
    """What a program wrote, and the errno of what ended it early."""

    def __init__(self) -> None:
        self.out: bytes | None = None
        self.err: bytes | None = None
        self.number = 0


def _communicate(process: subprocess.Popen[bytes], given: bytes | None, arguments: dict[str, Any]) -> _Outcome:
    import errno
    import subprocess

    outcome = _Outcome()
    try:
        outcome.out, outcome.err = process.communicate(
            given, (arguments["timeout"] or None) and arguments["timeout"] / 1000
        )
    except subprocess.TimeoutExpired:
        outcome.number = errno.ETIMEDOUT
        process.send_signal(arguments["signal"])
        outcome.out, outcome.err = process.communicate()
    most = arguments["most"]
    if most >= 0 and not outcome.number and max(len(outcome.out or b""), len(outcome.err or b"")) > most:
        outcome.number = errno.ENOBUFS
        outcome.out = outcome.out and outcome.out[:most]
        outcome.err = outcome.err and outcome.err[:most]
    return outcome


def _stream(word: str | int | None) -> int | None:
    import subprocess

    if isinstance(word, int):
        return word
    return {PIPE: subprocess.PIPE, IGNORE: subprocess.DEVNULL, INHERIT: None}[word or PIPE]


def _located(file: str, environment: dict[str, str]) -> str:
    """Return the path of a program, looked up on the PATH of its own environment."""
    from shutil import which

    return file if "/" in file else which(file, path=environment.get("PATH") or os.defpath) or file
