"""How watching grows with the number of files, beside other programs that watch.

    benchmarks/watch_scale.py [--files 10000 100000 1000000] [--saves 5] [--idle-s 5] [--only NAME...] [--rt .venv/bin/rt]

Three tenths of the files are in `node_modules`, one tenth in folders that git ignores, the others are sources: 20 in each folder, 200 in
each package. Programs that watch a tree run a script of one package; the others run a program that imports ten files. Columns: wall and CPU
seconds until nothing happens any more after the start, memory of all processes (PSS, without the kernel's share of about 1 KB for each
watched folder), the median time and CPU time from a save to the output of the next run, and the CPU time of idle seconds.
Peers are found in the folder that RT_PEERS names.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from watch_workspace import tree_cpu_s

PEERS = Path(os.environ.get("RT_PEERS") or Path.home() / ".cache/rt-peers/bin")
PER_FOLDER, FOLDERS = 20, 10  # of a package
QUIET_S = 2.0
LONGEST_S = 900.0


def make_workspace(root: Path, files: int) -> None:
    """Write a workspace of `files` files. The package p0 prints its file `saved.txt`, and so does `main.mjs`."""
    manifest = {"name": "root", "private": True, "workspaces": ["packages/*"], "packageManager": "npm@10.0.0"}
    (root / "package.json").write_text(json.dumps({**manifest, "scripts": {"job": "cat packages/p0/saved.txt"}}))
    (root / "package-lock.json").write_text(json.dumps({"name": "root", "lockfileVersion": 3, "packages": {}}))
    (root / ".gitignore").write_text("node_modules\ndist\n*.log\n")
    (root / "turbo.json").write_text(json.dumps({"tasks": {"job": {"cache": False}}}))
    per_package = PER_FOLDER * FOLDERS
    for number in range(max(1, files * 6 // 10 // per_package)):
        folder = root / "packages" / f"p{number}"
        folder.mkdir(parents=True)
        scripts = {"job": "cat saved.txt" if number == 0 else "true"}
        (folder / "package.json").write_text(json.dumps({"name": f"p{number}", "version": "1.0.0", "scripts": scripts}))
        for place in range(FOLDERS):
            make_files(folder / "src" / f"f{place}", PER_FOLDER)
    for place, share in (("node_modules", 3), ("packages/p0/dist", 1)):
        for number in range(max(1, files * share // 10 // PER_FOLDER)):
            make_files(root / place / f"m{number // FOLDERS}" / f"f{number % FOLDERS}", PER_FOLDER)
    write_save(root, 0)
    names = [f"./packages/p0/src/f0/{each}.ts" for each in range(10)]
    (root / "main.mjs").write_text(
        "".join(f'import "{name}";\n' for name in names)
        + 'import { text } from "./saved.mjs";\nconsole.log(text);\nsetInterval(() => {}, 1e6);\n'
    )
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


def make_files(folder: Path, count: int) -> None:
    folder.mkdir(parents=True)
    for number in range(count):
        os.close(os.open(folder / f"{number}.ts", os.O_CREAT | os.O_WRONLY))


def write_save(root: Path, number: int) -> None:
    (root / "packages/p0/saved.txt").write_text(f"save {number}.\n")
    (root / "saved.mjs").write_text(f"export const text = 'save {number}.';\n")


def pss_mb(pid: int) -> float:
    """Return the memory of a process and its descendants in MB; pages that they share count once."""
    total, waiting = 0, [pid]
    while waiting:
        each = waiting.pop()
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
            waiting += [int(child) for child in Path(f"/proc/{each}/task/{each}/children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


class Watching:
    """A program that watches, with its processes as one group."""

    def __init__(self, root: Path, words: list[str]) -> None:
        self._root = root
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the object
        environment = {**os.environ, "TURBO_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}
        environment.pop("CI", None)
        self._process = subprocess.Popen(
            words, cwd=root, stdout=self._log, stderr=self._log, env=environment, start_new_session=True
        )

    def printed(self) -> bytes:
        self._log.flush()
        return os.pread(self._log.fileno(), 1 << 24, 0)

    def cpu_s(self) -> float:
        if self._process.poll() is not None:
            raise SystemExit(f"{self._process.args} ended: {self.printed()[-600:].decode(errors='replace')}")
        return tree_cpu_s(self._process.pid)

    def await_quiet(self) -> tuple[float, float]:
        """Wait until the first run has printed and the processes use no CPU. Return the wall and CPU seconds until then."""
        began = last = time.perf_counter()
        used = 0.0
        while time.perf_counter() - last < QUIET_S or b"save 0." not in self.printed():
            time.sleep(0.1)
            now = self.cpu_s()
            if now > used:
                used, last = now, time.perf_counter()
            if time.perf_counter() - began > LONGEST_S:
                return -1.0, used
        return last - began, used

    def save(self, number: int) -> tuple[float, float] | None:
        """Change a file. Return the milliseconds of wall and CPU time until a run prints it; None if none does."""
        used, began = self.cpu_s(), time.perf_counter()
        write_save(self._root, number)
        while f"save {number}.".encode() not in self.printed():
            if time.perf_counter() - began > 60:
                return None
            time.sleep(0.002)
        took = time.perf_counter() - began
        time.sleep(0.5)
        return took * 1000, (self.cpu_s() - used) * 1000

    @property
    def pss_mb(self) -> float:
        return pss_mb(self._process.pid)

    def close(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                os.killpg(self._process.pid, number)
                try:
                    self._process.wait(20)
                except subprocess.TimeoutExpired:
                    continue
        self._log.close()


def programs(rt: str) -> dict[str, list[str]]:
    node, bun, turbo = (str(PEERS / name) for name in ("node26", "bun", "turbo"))
    found = {
        "rt run --watch --filter '*' job": [rt, "run", "--watch", "--filter", "*", "job"],
        "rt run --watch job": [rt, "run", "--watch", "job"],
        "rt --watch main.mjs": [rt, "--watch", "main.mjs"],
        "turbo watch job": [turbo, "watch", "job", "--ui=stream"],
        "node26 --watch-path=. main.mjs": [node, "--watch-path=.", "main.mjs"],
        "node26 --watch main.mjs": [node, "--watch", "main.mjs"],
        "bun --watch main.mjs": [bun, "--watch", "main.mjs"],
    }
    return {name: words for name, words in found.items() if os.path.exists(words[0])}


def measure(root: Path, words: list[str], saves: int, idle_s: float) -> str:
    write_save(root, 0)
    watching = Watching(root, words)
    try:
        wall, used = watching.await_quiet()
        memory = watching.pss_mb
        before = watching.cpu_s()
        time.sleep(idle_s)
        idle_ms = (watching.cpu_s() - before) * 1000
        took = [each for number in range(1, saves + 1) if (each := watching.save(number))]
    finally:
        watching.close()
    if not took:
        return f"{wall:8.2f} {used:8.2f} {memory:8.0f}   no run after a save {idle_ms:8.0f}"
    took_ms, cpu_ms = (statistics.median(each[place] for each in took) for place in (0, 1))
    return f"{wall:8.2f} {used:8.2f} {memory:8.0f} {took_ms:8.1f} {cpu_ms:8.0f} {idle_ms:8.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--saves", type=int, default=5)
    parser.add_argument("--idle-s", type=float, default=5)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--folder", help="where the workspaces are made, and kept for the next time")
    parser.add_argument("--rt", default=str(Path(sys.executable).parent / "rt"))
    options = parser.parse_args()
    place = Path(options.folder or tempfile.mkdtemp())
    print("   files  start s    CPU s   PSS MB  save ms   CPU ms  idle ms")
    try:
        for files in options.files:
            root = place / str(files)
            if not root.exists():
                root.mkdir(parents=True)
                make_workspace(root, files)
            for name, words in programs(options.rt).items():
                if options.only is None or name in options.only:
                    print(f"{files:8} {measure(root, words, options.saves, options.idle_s)}  {name}", flush=True)
    finally:
        if options.folder is None:
            shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
