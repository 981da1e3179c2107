"""Source files as the scripts of a run: engine workers of the zygote, compared with separate processes and another runtime.

    python benchmarks/engine_workers.py [--runs 15] [--peer bun] [1 2 8 32]

For each number of scripts, the runners take turns in one run, so that other load affects all alike. Measured are
- the time of `run --parallel` with that many tiny TypeScript files, medians in milliseconds, and their ratios;
- the memory of all processes while the scripts wait: the sum of proportional set sizes (PSS), which counts a shared
  page once;
- the same for package scripts (`rt main.ts` as the text, which also saves a shell).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from rig import MARK, Box, executable, is_zombie, wait_until

TINY = "console.log(process.argv.length as number)\n"
WAITING = (
    "import { writeFileSync, existsSync } from 'node:fs'\n"
    "writeFileSync(`ready.${process.pid}`, '')\n"
    "setInterval(() => { if (existsSync('go')) process.exit() }, 20)\n"
)
WHOLE = {"RT_WHOLE_PROCESSES": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--peer", default="bun", help="a program that knows `run --parallel`, if it is there")
    parser.add_argument("counts", nargs="*", type=int, default=[1, 2, 8, 32])
    options = parser.parse_args()
    runners: dict[str, tuple[str, dict[str, str]]] = {"workers": (executable(), {}), "whole": (executable(), WHOLE)}
    peer = shutil.which(options.peer)
    if peer is not None:
        runners[options.peer] = (peer, {})
    names = list(runners)
    ratios = [f"workers/{name}" for name in names[1:]]
    print(f"{'':32}" + "".join(f"{name:>14}" for name in (*names, *ratios)))
    for count in options.counts:
        show(f"{count} files, ms", times(runners, count, options.runs, as_scripts=False))
    for count in options.counts:
        show(f"{count} package scripts, ms", times(runners, count, options.runs, as_scripts=True))
    for count in options.counts:
        show(f"{count} waiting files, PSS in MB", memory(runners, count))


def show(what: str, values: dict[str, float]) -> None:
    first, *others = values.values()
    row = [f"{value:.1f}" for value in values.values()] + [f"{first / other:.2f}" for other in others]
    print(f"{what:32}" + "".join(f"{cell:>14}" for cell in row), flush=True)


def times(
    runners: dict[str, tuple[str, dict[str, str]]], count: int, runs: int, *, as_scripts: bool
) -> dict[str, float]:
    """Return the median times of each runner for `count` scripts, in milliseconds."""
    took: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(runs + 1):
        for name, (program, environment) in runners.items():
            with tempfile.TemporaryDirectory(prefix="rt-workers-") as folder:
                scripts = write_files(Path(folder), count, TINY, program if as_scripts else None)
                command = [program, "run", "--parallel", *scripts]
                began = time.perf_counter()
                subprocess.run(
                    command, cwd=folder, env=os.environ | environment, check=True,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                took[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(values[1:]) for name, values in took.items()}


def write_files(folder: Path, count: int, text: str, program: str | None) -> list[str]:
    """Write `count` files and, with `program`, scripts that run them with it. Return the names to run."""
    names = [f"file{number}.ts" for number in range(count)]
    for name in names:
        (folder / name).write_text(text)
    if program is None:
        return names
    called = os.path.basename(program)
    scripts = ", ".join(f'"s{number}": "{called} {name}"' for number, name in enumerate(names))
    (folder / "package.json").write_text(f'{{"scripts": {{{scripts}}}}}')
    return [f"s{number}" for number in range(count)]


def memory(runners: dict[str, tuple[str, dict[str, str]]], count: int) -> dict[str, float]:
    """Return the memory of all processes of a run while `count` programs wait, in megabytes."""
    found = {}
    for name, (program, environment) in runners.items():
        with tempfile.TemporaryDirectory(prefix="rt-workers-") as root:
            folder = Path(root, "w")
            folder.mkdir()
            box = Box(folder)
            command = [program, "run", "--parallel", *write_files(folder, count, WAITING, None)]
            process = subprocess.Popen(
                command, cwd=folder, env=os.environ | environment | {MARK: box.mark},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                box.await_file("ready.*", count)
                found[name] = proportional_mb(box.mark)
                (folder / "go").touch()
                wait_until(lambda process=process: process.poll() is not None, f"{name} ends")
            finally:
                process.kill()
                box.close()
    return found


def proportional_mb(mark: str) -> float:
    total = 0
    for entry in Path("/proc").iterdir():
        try:
            if (
                entry.name.isdigit()
                and f"{MARK}={mark}".encode() in (entry / "environ").read_bytes()
                and not is_zombie(entry)
            ):
                lines = (entry / "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except OSError:
            continue
    return total / 1024


if __name__ == "__main__":
    main()
