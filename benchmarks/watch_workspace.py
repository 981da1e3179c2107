"""The cost of `rt run --filter '*' --watch` in a workspace of many packages: idle CPU, and the time from a save to
the first script.

    benchmarks/watch_workspace.py [--packages 1000] [--saves 20] [--idle-s 5] [--rt .venv/bin/rt]

Each package has ten files and depends on up to three earlier ones. A save changes a file of the last package, which
no package depends on, so that only its script runs. The goals are zero CPU while idle and a median below 50 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

FILES = 10


def make_workspace(root: Path, count: int) -> Path:
    """Write `count` packages below `root`. Return the source file to save."""
    chosen = random.Random(count)
    (root / "package.json").write_text(json.dumps({"name": "root", "private": True, "workspaces": ["packages/*"]}))
    for number in range(count):
        folder = root / "packages" / f"p{number:04d}"
        (folder / "src").mkdir(parents=True)
        needs = {f"p{chosen.randrange(number):04d}": "workspace:*" for _ in range(min(3, number))}
        manifest = {"name": folder.name, "dependencies": needs, "scripts": {"build": "cat src/0.txt"}}
        (folder / "package.json").write_text(json.dumps(manifest))
        for place in range(FILES):
            (folder / "src" / f"{place}.txt").write_text("start\n")
    return folder / "src" / "0.txt"


def read_until(output: int, text: bytes, *, times: int = 1) -> None:
    """Read until `text` has occurred the given number of times."""
    seen = b""
    while seen.count(text) < times:
        block = os.read(output, 1 << 20)
        if not block:
            raise SystemExit(f"rt ended; its last words: {seen[-400:].decode()}")
        seen += block


def tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds used by the process `pid` and its descendants."""
    ticks = 0
    waiting = [pid]
    while waiting:
        each = waiting.pop()
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
        waiting += [int(child) for child in Path(f"/proc/{each}/task/{each}/children").read_text().split()]
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, default=1000)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--idle-s", type=float, default=5)
    parser.add_argument("--rt", default=str(Path(__file__).parents[1] / ".venv" / "bin" / "rt"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        saved = make_workspace(Path(folder), options.packages)
        name = saved.parents[1].name
        words = [options.rt, "run", "--filter", "*", "--watch", "build"]
        began = time.perf_counter()
        with subprocess.Popen(
            words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        ) as process:
            assert process.stdout is not None
            output = process.stdout.fileno()
            read_until(output, b" build: Exited with code 0\n", times=options.packages)
            print(f"first run of {options.packages} packages: {time.perf_counter() - began:.2f} s")
            time.sleep(1)
            before = tree_cpu_s(process.pid)
            time.sleep(options.idle_s)
            print(f"CPU in {options.idle_s:g} idle seconds: {(tree_cpu_s(process.pid) - before) * 1000:.0f} ms")
            took_ms = []
            for number in range(options.saves):
                time.sleep(0.3)
                began = time.perf_counter()
                saved.write_text(f"save {number}.\n")
                read_until(output, f"{name} build: save {number}.\n".encode())
                took_ms.append((time.perf_counter() - began) * 1000)
            print(f"save to first output: {min(took_ms):.1f} {statistics.median(took_ms):.1f} {max(took_ms):.1f} ms")
            process.send_signal(signal.SIGTERM)
            while os.read(output, 1 << 20):
                pass


if __name__ == "__main__":
    main()
