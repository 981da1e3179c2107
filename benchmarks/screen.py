"""Runs scripts that print much under several displays on a terminal: how long they take, how fast keys are answered, and the memory of the
screen.

    python benchmarks/screen.py [--lines 1000000] [--scripts 6] [--by-line] [stream blocks tui]

Each script writes its lines in large blocks, or with `--by-line` one by one, as programs do on a terminal; the system then limits them.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

_HELP = b"Hand the keyboard"  # on the page that `?` shows
_PAUSE_S = 0.3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--scripts", type=int, default=6)
    parser.add_argument("--by-line", action="store_true")
    parser.add_argument("displays", nargs="*", default=["stream", "blocks", "tui"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_workspace(Path(folder), options.scripts, options.lines, by_line=options.by_line)
        for display in options.displays:
            print(f"{display:8}", measure(folder, display), flush=True)
    return 0


def write_workspace(folder: Path, scripts: int, lines: int, *, by_line: bool) -> None:
    """Make a workspace whose scripts print so many lines, and write down when they have ended."""
    text = folder / "lines"
    text.write_text("".join(f"line of some output number {number}\n" for number in range(lines)))
    (folder / "package.json").write_text(json.dumps({"name": "root", "workspaces": ["packages/*"]}))
    program = f"sed -u '' {text}" if by_line else f"cat {text}"
    for number in range(scripts):
        package = folder / "packages" / f"p{number}"
        package.mkdir(parents=True)
        about = {"name": package.name, "scripts": {"dev": f"{program}; date +%s.%N > ended"}}
        (package / "package.json").write_text(json.dumps(about))


def measure(folder: str, display: str) -> str:
    """Run the scripts under a display, and return what was measured."""
    controller, device = pty.openpty()
    fcntl.ioctl(controller, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 150, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_TUI")}
    rt = Path(sys.executable).with_name("rt")
    began = time.time()
    process = subprocess.Popen(
        [rt, "run", "--filter", "*", f"--ui={display}", "dev"],
        cwd=folder,
        env=environment | {"TERM": "xterm-256color"},
        stdin=device,
        stdout=device,
        stderr=device,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(device)
    answers: list[float] = []
    memory = 0
    shown = b""
    asked: float | None = None
    next_key = began + 2
    while True:
        if select.select([controller], [], [], 0.02)[0]:
            try:
                block = os.read(controller, 1 << 16)
            except OSError:  # the terminal is closed
                break
            shown = (shown + block)[-(1 << 17) :]
        now = time.time()
        if asked is not None and _HELP in shown:
            answers.append(now - asked)
            asked, next_key = None, now + _PAUSE_S
            os.write(controller, b" ")  # leaves the page
        elif display == "tui" and asked is None and now > next_key:
            shown, asked = b"", now
            os.write(controller, b"?")
            memory = max(memory, memory_of_screen(process.pid))
    process.wait()
    ended = max(float(path.read_text()) for path in Path(folder).glob("packages/*/ended"))
    result = f"scripts ended after {ended - began:.2f} s"
    if answers:
        slowest = max(answers) * 1000
        result += (
            f"; keys: median {statistics.median(answers) * 1000:.0f} ms, slowest {slowest:.0f} ms of {len(answers)}"
        )
        result += f"; memory of the screen {memory >> 10} MB"
    return result


def memory_of_screen(rt: int) -> int:
    """Return the resident size of the screen's process, in KiB."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{rt}/task/{rt}/children").read_text().split():
            if b"rt_supervisor.screen" in Path(f"/proc/{child}/cmdline").read_bytes():
                found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{child}/status").read_text())
                return int(found[1]) if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
