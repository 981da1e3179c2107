"""Reports how far a build of several cargo runs has come.

cargo prints its own progress (`Building [==> ] 45/172: openssl-sys, ...`) to stderr on request. `Progress.watch`
replaces stderr by a pipe, passes ordinary lines on, and turns cargo's progress into a line every few seconds, such as
`rt build: OpenSSL and node:crypto: 45 of 172 crates, compiling openssl-sys; 1:20 so far, about 3:10 left`.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import threading
import time
from collections.abc import Iterator

# The title of each cargo run, its share of the time of a build from an empty target folder on two cores, and the share of that which
# compiling and linking its last crate takes.
RUNS = (
    ("OpenSSL and node:crypto", 0.33, 0.2),
    ("SQLite", 0.08, 0.2),
    ("the launcher", 0.04, 0.3),
    ("the engine's host", 0.55, 0.4),
)
_STATUS = re.compile(rb"Building \[[=> ]*\] (\d+)/(\d+)(?:: ([^\r\n]*))?")
_LAST_CRATES = frozenset(("rt_native", "rt_crypto", "rt_sqlite", "rt", "rt(bin)"))
INTERVAL_S = float(os.environ.get("RT_BUILD_PROGRESS_S") or 10)


class Progress:
    """The state of a build: which of `RUNS` is running, and how many of its crates are compiled."""

    def __init__(self, started_s: float) -> None:
        self._started_s = started_s
        self._run = -1
        self._done, self._total = 0, 0
        self._active: tuple[str, ...] = ()

    def begin_next(self) -> None:
        """Record that the next of `RUNS` begins."""
        self._run += 1
        self._done, self._total, self._active = 0, 0, ()

    def read_status(self, text: bytes) -> bool:
        """Update the state from a line of cargo; return whether it was a progress line."""
        found = _STATUS.search(text)
        if not found:
            return False
        self._done, self._total = int(found[1]), int(found[2])
        names = (found[3] or b"").decode("utf-8", "replace").strip().removesuffix("...").split(",")
        self._active = tuple(name.strip() for name in names if name.strip())
        return True

    def describe(self, now_s: float) -> str:
        """Return the line that describes the state at `now_s`, on the clock of `started_s`."""
        title, share, last = RUNS[self._run]
        elapsed = now_s - self._started_s
        done = min(self._done / max(self._total - 1, 1), 1.0) * (1 - last)
        fraction = sum(part for _, part, _ in RUNS[: self._run]) + share * done
        text = f"rt build: {title}: {self._done} of {self._total} crates"
        if self._active:
            text += f", {'compiling and linking' if _is_last(self._active) else 'compiling'} {self._active[0]}"
        text += f"; {_format_time(elapsed)} so far"
        if fraction > 0.05:
            text += f", about {_format_time(elapsed / fraction - elapsed)} left"
        return text

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """While the body runs the next of `RUNS`, report progress on stderr instead of cargo's own."""
        self.begin_next()
        reader, writer = os.pipe()
        stderr = os.dup(2)
        os.dup2(writer, 2)
        os.close(writer)
        thread = threading.Thread(target=self._forward, args=(reader, stderr))
        thread.start()
        try:
            yield
        finally:
            os.dup2(stderr, 2)  # closes the last writing end here; cargo's processes have ended
            thread.join()
            os.close(stderr)

    def _forward(self, reader: int, stderr: int) -> None:
        rest, printed_s = b"", time.monotonic()
        with open(reader, "rb", buffering=0) as pipe:
            while True:
                # cargo prints nothing while one crate compiles for minutes; the time passes all the same.
                wait_s = max(0.0, printed_s + INTERVAL_S - time.monotonic()) if self._total else None
                if select.select([pipe], [], [], wait_s)[0]:
                    block = pipe.read(1 << 16)
                    if not block:
                        break
                    *lines, rest = re.split(rb"[\r\n]", rest + block)
                    for line in lines:
                        if not self.read_status(line) and line.strip():
                            os.write(stderr, line + b"\n")
                if self._total and time.monotonic() - printed_s >= INTERVAL_S:
                    printed_s = time.monotonic()
                    os.write(stderr, self.describe(printed_s).encode() + b"\n")
        if rest.strip() and not self.read_status(rest):
            os.write(stderr, rest + b"\n")


def _is_last(active: tuple[str, ...]) -> bool:
    return len(active) == 1 and active[0] in _LAST_CRATES


def _format_time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
