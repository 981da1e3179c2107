"""How long the REPL takes to its first prompt, and to the answer of an input typed at it, beside Bun's and Node's.

    python benchmarks/repl.py [--runs 15] [--rt PATH] [--bun PATH] [--node PATH]

Each is started on a terminal of its own, in turns, so that the load of the machine affects all alike; the ratios are those of
one round. Goals for the first prompt: at most 1.5 times Bun's, and 0.6 times Node's.

Figures of two cores, run with a real-time priority because the machine was loaded (`chrt -r 10 python benchmarks/repl.py`): first
prompt 7.7 ms, Bun 5.8 to 6.2 (ratio 1.26 to 1.33), Node 39 to 40 (0.20); first answer 37 to 40 ms, Bun 7.5, Node 48 to 50 (0.8).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import select
import shutil
import statistics
import tempfile
import termios
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PEERS = Path(os.environ.get("RT_PEERS", Path.home() / ".cache/rt-peers/bin"))
INPUT, ANSWER = b"6 * 7 * 1000\r", b"42000"
ENTERED = b"\r\n"
END_OF_TEXT = b"\x04"
PATIENCE_S = 60.0


class Repl:
    """The command of a REPL, and what ends its prompt."""

    def __init__(self, name: str, command: list[str], prompt: bytes) -> None:
        self.name = name
        self.command = command
        self.prompt = prompt
        self.prompts_ms: list[float] = []
        self.answers_ms: list[float] = []

    def measure(self, folder: str) -> None:
        """Start it, wait for the prompt, type an input and wait for its answer."""
        environment = os.environ | {
            "HOME": folder,
            "TERM": "xterm-256color",
            "RT_REPL_HISTORY": "",
            "NODE_REPL_HISTORY": "",
        }
        started = time.perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execve(self.command[0], self.command, environment)
        termios.tcsetwinsize(terminal, (40, 100))
        seen = read_until(terminal, b"", lambda text: self.prompt in text)
        self.prompts_ms.append((time.perf_counter() - started) * 1e3)
        os.write(terminal, INPUT)
        # The preview of the answer does not count: it follows the end of the input's line.
        read_until(terminal, b"", lambda text: ANSWER in text.rpartition(ENTERED)[0] or ANSWER + ENTERED in text)
        self.answers_ms.append((time.perf_counter() - started) * 1e3)
        assert seen
        os.write(terminal, END_OF_TEXT)
        drain(terminal)  # until it has ended: it may store what makes the next start faster
        os.close(terminal)
        os.waitpid(child, 0)


def drain(terminal: int) -> None:
    with contextlib.suppress(OSError):  # the other side has been closed
        while os.read(terminal, 1 << 16):
            pass


def read_until(terminal: int, seen: bytes, holds: object) -> bytes:
    """Read until the text satisfies `holds`."""
    assert callable(holds)
    end = time.monotonic() + PATIENCE_S
    while not holds(seen):
        ready, _, _ = select.select([terminal], [], [], end - time.monotonic())
        assert ready, f"not within {PATIENCE_S} s: {seen!r}"
        seen += os.read(terminal, 1 << 16)
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--rt", default=str(PROJECT / ".venv/bin/rt"))
    parser.add_argument("--bun", default=str(PEERS / "bun"))
    parser.add_argument("--node", default=str(PEERS / "node26"))
    options = parser.parse_args()
    repls = [Repl("rt", [options.rt, "repl"], b"> ")]
    for name, path, command, prompt in (
        ("bun", options.bun, ["repl"], b"\xe2\x9d\xaf"),
        ("node", options.node, [], b"> "),
    ):
        if found := shutil.which(path):
            repls.append(Repl(name, [found, *command], prompt))
    with tempfile.TemporaryDirectory() as folder:
        for each in repls:  # not counted: caches
            for _ in range(2):
                each.measure(folder)
            each.prompts_ms.clear()
            each.answers_ms.clear()
        for _ in range(options.runs):
            for each in repls:
                each.measure(folder)
    mine = repls[0]
    for each in repls:
        for what, own, other in (
            ("first prompt", mine.prompts_ms, each.prompts_ms),
            ("first answer", mine.answers_ms, each.answers_ms),
        ):
            low, middle, high = min(other), statistics.median(other), max(other)
            ratio = statistics.median(one / two for one, two in zip(own, other, strict=True))
            text = f"{each.name:5} {what}: median {middle:6.1f} ms ({low:.1f} to {high:.1f})"
            print(text + ("" if each is mine else f"; rt/{each.name} {ratio:.2f}"))


if __name__ == "__main__":
    main()
