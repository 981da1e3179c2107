"""Reports how far a build of several cargo runs has come.

cargo prints its own progress (`Building [==> ] 45/172: openssl-sys, ...`) to stderr on request. `Progress.run` and
`Progress.watch` read that stream, pass ordinary lines on, and print a line every few seconds instead, such as
`rt build: the engine's host: 45 of 335 crates, compiling oxc_parser; SQLite, RT.color and OpenSSL: 3 of 79 crates; 1:20 so far, about 3:10
left`.
Runs may overlap: the first that is active is described in full.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Weight:
    """The cost of a cargo run that starts with an empty target folder."""

    work: float  # processor time, relative to the other runs
    last: float  # the fraction of it that compiling and linking the last crate takes


HOST, LIBRARIES, LAUNCHER = ("the engine's host", "SQLite, RT.color and OpenSSL", "the launcher")
WEIGHTS = {
    HOST: Weight(work=0.62, last=0.22),
    LIBRARIES: Weight(work=0.34, last=0.4),
    LAUNCHER: Weight(work=0.04, last=0.3),
}
INTERVAL_S = float(os.environ.get("RT_BUILD_PROGRESS_S") or 10)
_STATUS = re.compile(rb"Building \[[=> ]*\] (\d+)/(\d+)(?:: ([^\r\n]*))?")
_LAST_CRATES = frozenset(("rt_native", "rt_crypto", "rt_sqlite", "rt_colors", "rt", "rt(bin)"))


@dataclass
class _Run:
    """The state of a cargo run: how many of its crates are compiled, and which are being compiled."""

    title: str
    done: int = 0
    total: int = 0  # 0: cargo has not printed a status yet
    compiling: tuple[str, ...] = ()
    is_complete: bool = False
    errors: list[str] = field(default_factory=list)

    def fraction(self) -> float:
        if self.is_complete:
            return 1.0
        return min(self.done / max(self.total - 1, 1), 1.0) * (1 - WEIGHTS[self.title].last)

    def describe(self, *, in_full: bool) -> str:
        text = f"{self.title}: {self.done} of {self.total} crates"
        if in_full and self.compiling:
            is_last = len(self.compiling) == 1 and self.compiling[0] in _LAST_CRATES
            text += f", {'compiling and linking' if is_last else 'compiling'} {self.compiling[0]}"
        return text


class Progress:
    """Reports the state of a build that consists of the runs `titles` (keys of `WEIGHTS`), while its context is active.

    `started_s` is the time of the monotonic clock at which the build began.
    """

    def __init__(self, started_s: float, titles: Sequence[str] = tuple(WEIGHTS)) -> None:
        self._started_s = started_s
        self._titles = titles
        self._runs: dict[str, _Run] = {}
        self._stopped = threading.Event()
        self._reporter = threading.Thread(target=self._report)
        self._stderr = -1
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Progress:
        self._stderr = os.dup(2)
        self._reporter.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._reporter.join()
        os.close(self._stderr)

    def begin(self, title: str) -> None:
        """Record that the run `title` begins."""
        self._runs[title] = _Run(title)

    def end(self, title: str) -> None:
        """Record that the run `title` is complete."""
        self._runs[title].is_complete = True

    def read_status(self, title: str, text: bytes) -> bool:
        """Update the state of the run `title` from a line of cargo; return whether it was a progress line."""
        found = _STATUS.search(text)
        if not found:
            return False
        names = (found[3] or b"").decode("utf-8", "replace").strip().removesuffix("...").split(",")
        run = self._runs[title]
        run.compiling = tuple(name.strip() for name in names if name.strip())
        run.done, run.total = int(found[1]), int(found[2])
        return True

    def describe(self, now_s: float) -> str | None:
        """Return the line that describes the state at `now_s`; None while no run has a status."""
        runs = [self._runs[title] for title in self._titles if title in self._runs]
        active = [run for run in runs if run.total and not run.is_complete]
        if not active:
            return None
        elapsed = now_s - self._started_s
        work = sum(WEIGHTS[title].work for title in self._titles)
        fraction = sum(WEIGHTS[run.title].work * run.fraction() for run in runs) / work
        parts = [run.describe(in_full=position == 0) for position, run in enumerate(active)]
        text = f"rt build: {'; '.join(parts)}; {_format_time(elapsed)} so far"
        if fraction > 0.05:
            text += f", about {_format_time(elapsed / fraction - elapsed)} left"
        return text

    def find_errors(self, title: str) -> str:
        """Return the lines with which cargo and the compiler reported errors during the run `title`; an empty string without any."""
        return "\n".join(self._runs[title].errors)

    def run(
        self, title: str, command: Sequence[str], folder: Path, environment: Mapping[str, str], niceness: int = 0
    ) -> int:
        """Run `command`, which is cargo, in `folder` as the run `title`, and return its exit status.

        With a positive `niceness`, other runs have precedence. Several threads may call this, with different titles.
        """
        self.begin(title)
        with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE) as process:
            if niceness:  # set before cargo starts compilers, which inherit it
                own = os.getpriority(os.PRIO_PROCESS, 0)  # a process may not get a lower one than it has
                os.setpriority(os.PRIO_PROCESS, process.pid, max(own, niceness))
            self._processes.append(process)
            assert process.stderr
            self._forward(title, process.stderr.fileno())
        self.end(title)
        return process.returncode

    def terminate_runs(self) -> None:
        """Terminate the processes of `run`: their results are not needed any more."""
        for process in self._processes:
            process.terminate()

    @contextlib.contextmanager
    def watch(self, title: str) -> Iterator[None]:
        """Replace stderr by a pipe that is read as the run `title`, while the body runs a process that inherits stderr."""
        self.begin(title)
        reader, writer = os.pipe()
        os.dup2(writer, 2)
        os.close(writer)
        thread = threading.Thread(target=self._forward, args=(title, reader))
        thread.start()
        try:
            yield
        finally:
            os.dup2(self._stderr, 2)  # closes the last writing end here; cargo's processes have ended
            thread.join()
            os.close(reader)
            self.end(title)

    def _forward(self, title: str, reader: int) -> None:
        """Read the stderr of cargo until it is closed; pass on what is not progress."""
        rest = b""
        while block := os.read(reader, 1 << 16):
            *lines, rest = re.split(rb"[\r\n]", rest + block)
            for line in lines:
                self._pass_on(title, line)
        self._pass_on(title, rest)

    def _pass_on(self, title: str, line: bytes) -> None:
        if not self.read_status(title, line) and line.strip():
            os.write(self._stderr, line + b"\n")
            if line.startswith(b"error"):
                self._runs[title].errors.append(line.decode("utf-8", "replace"))

    def _report(self) -> None:
        """Print the state every `INTERVAL_S`: cargo prints nothing while one crate compiles for minutes, but the time passes."""
        while not self._stopped.wait(INTERVAL_S):
            if line := self.describe(time.monotonic()):
                os.write(self._stderr, line.encode() + b"\n")


def _format_time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
